// Not `@shop/team` of a CODEOWNERS file, and not a list of owners.
const ADDRESS = /^[^\s@]+(@[^\s@]+)$/

const domainIn = (person: string) => ADDRESS.exec(person)?.[1]

/** Shortens the e-mail addresses of people to the part before `@` if all have the same domain. */
export function addressCell(
  people: readonly (string | null | undefined)[],
): (person: string | null | undefined) => string | undefined {
  const domains = new Set(people.flatMap((person) => domainIn(person ?? '') ?? []))
  const [domain = ''] = domains
  return (person) => {
    const isShort = domains.size === 1 && domainIn(person ?? '') === domain
    return isShort ? person?.slice(0, -domain.length) : (person ?? undefined)
  }
}
