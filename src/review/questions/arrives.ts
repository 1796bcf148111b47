import { agoText } from '../../output/time.ts'
import { matcherOf } from '../../input/wildcards.ts'
import { type Flag, isOnSomewhere } from '../../flags/flag.ts'
import { isProduction, isSilent, type Reporting } from '../../flags/silence.ts'
import { askedText } from '../../flags/span.ts'
import { type Answer, goes, type Question, skipped, unknown } from '../question.ts'
import { isClosed, type ServiceFacts } from '../service-facts.ts'
import type { Terms } from '../terms.ts'
import type { Source } from '../facts.ts'

/** Where a flag is on, and since when nothing is reported from there. */
function placesOf({ projectId, environments }: Flag, { reports }: Terms): Reporting[] {
  return environments
    .filter(({ enabled }) => enabled)
    .flatMap(({ name }) => reports.in(projectId, name) ?? [])
}

/** The silent places of those where a flag is on, if it may be used there unseen. */
function hidingPlaces(places: readonly Reporting[], silent: readonly Reporting[]): Reporting[] {
  const hasReport = places.length > silent.length
  // An idle development environment is usual where production reports.
  return silent.filter((place) => isProduction(place) || !hasReport)
}

/** When something last asked with a token of exactly this environment and project; one for all projects shows nothing about it. */
function lastAsked(place: Reporting, { tokens = [] }: ServiceFacts, terms: Terms) {
  const times = tokens
    .filter(({ projects, environment }) => {
      return projects.includes(place.projectId) && environment === place.environment
    })
    .flatMap(({ seenAt }) => (seenAt !== undefined && seenAt >= terms.limit ? seenAt : []))
  return times.length > 0 ? Math.max(...times) : undefined
}

function silenceTexts(place: Reporting, service: ServiceFacts, terms: Terms): string[] {
  const { projectId, environment } = place
  if (!place.isKnown) return [`the service does not report when flags were seen in ${environment}`]
  const asked = lastAsked(place, service, terms)
  return [
    `${environment} silent for ${askedText(terms.notSeenFor)}`,
    `no flag of project ${projectId} was seen there: its SDKs may not report usage`,
    ...(asked === undefined
      ? []
      : [`something asked there ${agoText(terms.span.now - asked)}, although nothing is reported`]),
  ]
}

/** Whether the service gets usage of any flag. */
function isReporting({ gotUsage }: ServiceFacts, terms: Terms): boolean {
  return gotUsage === true || terms.reports.reportingProjects(terms.limit).length > 0
}

const serviceText = ({ notSeenFor }: Terms) =>
  `no flag was seen in ${askedText(notSeenFor)}: the service may not get any usage`

/** Whether usage of a flag that is on would be seen. */
function answerOn(flag: Flag, service: ServiceFacts | undefined, terms: Terms): Answer | Source {
  const places = placesOf(flag, terms)
  const silent = places.filter((place) => isSilent(place, terms.limit))
  if (hidingPlaces(places, silent).length === 0) return goes()
  if (!service) return 'service'
  const open = silent.filter((place) => !isClosed(place, service, terms.span.now))
  const hiding = hidingPlaces(places, open)
  if (hiding.length > 0) {
    return unknown(...hiding.flatMap((place) => silenceTexts(place, service, terms)))
  }
  // Nothing is known where the service itself may get no usage.
  if (!isReporting(service, terms)) return unknown(serviceText(terms))
  const names = silent.map(({ environment }) => environment)
  return goes(`no token is for ${names.join(', ')} of project ${flag.projectId} any more`)
}

/** Whether usage of a flag that is off everywhere would be seen: SDKs that ask for it report it all the same. */
function answerOff({ projectId }: Flag, service: ServiceFacts | undefined, terms: Terms) {
  const reporting = terms.reports.reportingProjects(terms.limit)
  if (reporting.includes(projectId)) return goes()
  const silent = `no flag of project ${projectId} was seen in ${askedText(terms.notSeenFor)}`
  const [other] = reporting
  if (other) return goes(`${silent}, but of project ${other}`)
  if (!service) return 'service'
  if (service.gotUsage) return goes(`${silent}, but the service got usage yesterday`)
  return unknown(serviceText(terms))
}

/** The places that make it unclear whether a flag is used, for what is said once. */
export function silentPlaces(flag: Flag, terms: Terms): Reporting[] {
  const places = placesOf(flag, terms)
  return hidingPlaces(
    places,
    places.filter((place) => isSilent(place, terms.limit)),
  ).filter(({ isKnown }) => isKnown)
}

export const arrives: Question = {
  id: 'arrives',
  states: 'usage arrives from where it is on or, if it is off, from any SDK',
  isAboutUsage: true,
  answer({ flag, service }, terms) {
    if (!flag) return skipped('the service does not list it')
    const { acceptSilence } = terms
    if (acceptSilence && matcherOf(acceptSilence)(flag.projectId)) {
      return skipped(`--accept-silence ${acceptSilence.join(' ')}`)
    }
    return isOnSomewhere(flag) ? answerOn(flag, service, terms) : answerOff(flag, service, terms)
  },
}
