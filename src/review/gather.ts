// Reads what the questions need: the cheapest source first, for all flags that need it, until no question is open.
import { failureOf, FlagadmError } from '../errors.ts'
import { groupBy } from '../groups.ts'
import { memoized } from '../memoized.ts'
import { timeOf } from '../input/time.ts'
import { counted, type Incomplete } from '../output/incomplete.ts'
import { hourOf } from '../output/time.ts'
import { readEach } from '../requests/each.ts'
import { unlessMissing } from '../service/client.ts'
import type { Connection } from '../service/connection.ts'
import type { UsageAnswer } from '../usage/figure-doubts.ts'
import { createUsageSurvey, readWitnesses, type UsageSurvey } from '../usage/coverage.ts'
import { daysGaps, readSpan } from '../usage/daily-usage.ts'
import { latest, readLastHour } from '../flags/records.ts'
import { type Flag, isOnSomewhere } from '../flags/flag.ts'
import type { Span } from '../flags/span.ts'
import { neededSource, ownVerdict } from './decide.ts'
import { type Dependent, type Facts, readOf, type Source, sources } from './facts.ts'
import { readOwnDocument } from './own-document.ts'
import { readChanges } from './recent-changes.ts'
import { createSharedReads, type SharedReads } from './shared-changes.ts'
import { readServiceFacts, type ServiceFacts } from './service-facts.ts'
import { type Inquiry, type Terms, termsOf, type Use } from './terms.ts'
import { coveredUsage, type UsageEvidence, usageEvidence } from './usage-evidence.ts'

interface Task {
  connection: Connection
  inquiry: Inquiry
  /** All flags of the projects, by name. */
  flags: ReadonlyMap<string, Flag>
  /** What is known about a flag, or a name, before anything is asked about it alone. */
  factsOf(name: string): Facts
  /** Whether usage is read even where the list settles the verdict, because it is shown. */
  readsAllUsage: boolean
  /** Whether the state of all flags is read that may be finished, where the service keeps no days. */
  readsAllStates: boolean
}

// More would double the requests of a review.
const MAX_STATES = 200

export interface Gathered {
  /** By name; also of flags that depend on those that were given. */
  facts: ReadonlyMap<string, Facts>
  terms: Terms
  /** By the name of the flag. */
  failures: ReadonlyMap<string, FlagadmError>
  /** What the report lacks, but for flags that could not be read. */
  incomplete: readonly Incomplete[]
}

/** The usage of a flag in a span or, from a service without that, the usage in the current clock hour. */
async function readUsage(
  connection: Connection,
  name: string,
  span: Span,
  { isOn }: { isOn: boolean },
): Promise<UsageAnswer> {
  const hours = await unlessMissing(readSpan(connection, name, span, { wantsEarlier: isOn }))
  if (hours) return hours
  const { records, readAt } = await readLastHour(connection, name)
  return { from: hourOf(span.now), isWhole: false, records, readAt }
}

class Gatherer {
  readonly #task: Task
  readonly #facts = new Map<string, Facts>()
  readonly #failures = new Map<string, FlagadmError>()
  readonly #applications = new Set<string>()
  readonly #environments = new Set<string>()
  /** The flags to review; others depend on them. */
  #given: ReadonlySet<string> = new Set()
  readonly #incomplete: Incomplete[] = []
  readonly #uses: Use[] = []
  readonly #survey: UsageSurvey
  #witnessFailure: FlagadmError | undefined
  #service: ServiceFacts | undefined
  #lastEvent: number | undefined
  #shared: SharedReads | undefined
  /** How many documents of flags in use were read. */
  #states = 0

  constructor(task: Task) {
    this.#task = task
    this.#survey = createUsageSurvey(task.inquiry.span)
  }

  async gather(names: readonly string[]): Promise<Gathered> {
    for (const name of names) this.#add(name)
    this.#given = new Set(names)
    for (;;) {
      const terms = this.#terms()
      const open = groupBy(this.#facts.values(), (facts) => this.#neededSource(facts, terms))
      const source = sources.find((one) => open.has(one))
      if (!source) {
        const incomplete = [...daysGaps(terms.span, this.#witnessFailure), ...this.#incomplete]
        return { facts: this.#facts, terms, failures: this.#failures, incomplete }
      }
      await this.#read(source, open.get(source) ?? [], terms)
    }
  }

  #add(name: string): void {
    this.#facts.set(name, this.#task.factsOf(name))
  }

  #set(name: string, source: Partial<Facts>): void {
    const factsBefore = this.#facts.get(name) ?? this.#task.factsOf(name)
    this.#facts.set(name, { ...factsBefore, ...source })
  }

  #terms(): Terms {
    const { connection, inquiry, flags } = this.#task
    return termsOf(inquiry, {
      flags: [...flags.values()],
      clock: connection.clock,
      applications: this.#applications,
      environments: this.#environments,
      uses: this.#uses,
      survey: this.#survey,
      lastEvent: this.#lastEvent,
    })
  }

  #neededSource(facts: Facts, terms: Terms): Source | undefined {
    const isGiven = this.#given.has(facts.name)
    const isUsageShown = this.#task.readsAllUsage && isGiven
    if (isUsageShown && facts.usage === undefined) return 'usage'
    // Of those that depend on others, only whether they go is of interest.
    const ownTerms = isGiven ? terms : { ...terms, tellsFinished: false, tellsUnused: false }
    const source = neededSource(facts, ownTerms)
    if (source && facts[source] !== undefined) {
      throw new Error(`the ${source} of ${facts.name} was read, but a question still needs it`)
    }
    return source
  }

  async #read(source: Source, open: readonly Facts[], terms: Terms): Promise<void> {
    const names = open.map(({ name }) => name)
    const flags = open.flatMap(({ flag }) => flag ?? [])
    switch (source) {
      case 'usage':
        return this.#readUsages(names, terms)
      case 'service':
        return this.#readService(names, terms)
      case 'document':
        return this.#readDocuments(flags)
      case 'events':
        return this.#readEvents(flags, terms)
      case 'dependents':
        return this.#readDependents(names, terms)
      case 'state':
        return this.#readStates(flags)
    }
  }

  /** Keeps no records, because those of many flags would not fit into memory. */
  async #readUsages(names: readonly string[], terms: Terms): Promise<void> {
    const { connection, flags } = this.#task
    const read = async (name: string) => {
      const flag = flags.get(name)
      const isOn = flag !== undefined && isOnSomewhere(flag)
      const answer = await readUsage(connection, name, terms.span, { isOn })
      this.#survey.add(name, answer, flag)
      const { applications, environments } = answer.records
      const usage = usageEvidence(flag, answer, terms)
      return { name, usage, applications, environments }
    }
    const { failures } = await readEach('flag', names, connection, read, (one) => {
      this.#set(one.name, { usage: one.usage })
      for (const application of one.applications) this.#applications.add(application)
      for (const environment of one.environments) this.#environments.add(environment)
      this.#addUses(flags.get(one.name), one.usage)
    })
    this.#witnessFailure ??= await readWitnesses(
      connection,
      terms.span,
      this.#survey,
      flags.values(),
    )
    for (const [name, failure] of failures) {
      this.#set(name, { usage: failure })
      this.#failures.set(name, failure)
    }
  }

  #addUses(flag: Flag | undefined, { byEnvironment }: UsageEvidence): void {
    for (const { name, lastUsed } of flag ? byEnvironment : []) {
      if (!flag || name === undefined || lastUsed === undefined) continue
      this.#uses.push({ projectId: flag.projectId, environment: name, time: lastUsed })
    }
  }

  async #readService(names: readonly string[], { reports, limit }: Terms) {
    const isWhollySilent = reports.reportingProjects(limit).length === 0
    const { connection } = this.#task
    this.#service ??= await readServiceFacts(connection, { isSilent: isWhollySilent })
    for (const name of names) this.#set(name, { service: this.#service })
  }

  async #readDocuments(open: readonly Flag[]): Promise<void> {
    const { connection, flags } = this.#task
    const read = async (flag: Flag) => {
      const document = await readOwnDocument(connection.service, flag, flags).catch(failureOf)
      return { name: flag.name, document }
    }
    await readEach('flag', open, connection, read, ({ name, document }) => {
      this.#set(name, { document })
      // A service that follows only the specification has no documents of flags.
      if (document instanceof FlagadmError && document.kind !== 'notFound') {
        this.#failures.set(name, document)
      }
    })
  }

  /** Reads the documents of flags in use that may be finished: of a part if there are many. */
  async #readStates(flags: readonly Flag[]): Promise<void> {
    const { readsAllStates } = this.#task
    const read = flags.slice(0, readsAllStates ? undefined : MAX_STATES - this.#states)
    const unreadFlags = flags.slice(read.length)
    this.#states += read.length
    await this.#readDocuments(read)
    for (const { name } of read) this.#set(name, { state: 'read' })
    for (const { name } of unreadFlags) this.#set(name, { state: 'left' })
    if (unreadFlags.length === 0) return
    const message = `${counted(unreadFlags.length, 'more flag')} may be finished: their strategies were not read (--verdict finished reads them)`
    this.#incomplete.push({ message, names: unreadFlags.map(({ name }) => name) })
  }

  /** The oldest creation of the flags that may have been seen where a project had another environment; undefined if none may. */
  #removalsSince(flags: readonly Flag[], terms: Terms): number | undefined {
    const times = flags.flatMap((flag) => {
      const facts = this.#facts.get(flag.name)
      const usage = readOf(facts?.usage)
      const isCovered = usage && coveredUsage(flag, usage, terms).isWhole
      const isUsed = facts && ownVerdict(facts, terms) === 'in-use'
      return isCovered || isUsed ? [] : (timeOf(flag.createdAt) ?? [])
    })
    return times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : undefined
  }

  async #readEvents(flags: readonly Flag[], terms: Terms) {
    const since = terms.limit - terms.clocksDiffer
    const { connection } = this.#task
    this.#shared ??= createSharedReads(connection, since)
    const segments = flags.flatMap(({ name }) => {
      const used = readOf(this.#facts.get(name)?.document)?.segments
      return used && used.size > 0 ? [[name, used] as const] : []
    })
    const { changes, incomplete, lastTime } = await readChanges(connection, flags, {
      since,
      removalsSince: this.#removalsSince(flags, terms),
      segments: new Map(segments),
      shared: this.#shared,
    })
    const said = new Set(this.#incomplete.map(({ message }) => message))
    this.#incomplete.push(...incomplete.filter(({ message }) => !said.has(message)))
    this.#lastEvent = latest([this.#lastEvent, lastTime])
    for (const [name, events] of changes) {
      this.#set(name, { events })
      if (events instanceof FlagadmError) this.#failures.set(name, events)
    }
  }

  /** The flags that depend on one, also through others. */
  #dependentsOf(name: string): string[] {
    const names = new Set([name])
    // Those that are added here follow in the same loop.
    for (const next of names) {
      for (const child of readOf(this.#facts.get(next)?.document)?.children ?? []) names.add(child)
    }
    names.delete(name)
    return [...names]
  }

  /** Adds the flags that depend on others. When all is known about those, their verdicts are facts of the others. */
  async #readDependents(names: readonly string[], terms: Terms): Promise<void> {
    const isNew = (name: string) => this.#task.flags.has(name) && !this.#facts.has(name)
    const added = [...new Set(names.flatMap((name) => this.#dependentsOf(name)).filter(isNew))]
    for (const name of added) this.#add(name)
    if (added.length > 0) return
    // Each once: a flag may depend on many.
    const dependentOf = memoized((name: string): Dependent => {
      const facts = this.#facts.get(name)
      return { name, verdict: facts ? ownVerdict(facts, terms) : 'unclear' }
    })
    for (const name of names) {
      this.#set(name, { dependents: this.#dependentsOf(name).map(dependentOf) })
    }
  }
}

/** Gathers what decides about flags, or names that were given. */
export function gather(task: Task, names: readonly string[]): Promise<Gathered> {
  return new Gatherer(task).gather(names)
}
