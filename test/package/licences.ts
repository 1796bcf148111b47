const SEPARATOR = `\n${'-'.repeat(72)}\n\n`

export interface Licence {
  /** The package that is licensed. */
  name: string
  /** The licence's SPDX expression. */
  spdx: string
  text: string
}

/** The licences in the LICENSES.txt that the build writes. */
export function licencesIn(file: string): Licence[] {
  return file.split(SEPARATOR).map((section) => {
    const [heading, name, spdx] = /^(\S+) \S+: (.+)\n\n/.exec(section) ?? []
    if (!heading || !name || !spdx) throw new Error(`no heading of a licence: ${section}`)
    return { name, spdx, text: section.slice(heading.length) }
  })
}
