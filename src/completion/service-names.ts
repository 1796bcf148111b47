import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { connectionConfiguration, connectWith, isSandbox } from '../profile/connection.ts'
import { type Endpoint, resolveEndpoint } from '../profile/endpoint.ts'
import { listedProjects } from '../projects/reading.ts'
import type { Service } from '../service/client.ts'
import { operations } from '../service/operations.ts'
import type { CursorPosition } from '../help/position.ts'

/** The kinds of words that only the service knows. */
export type ServiceName = 'project' | 'flag'

const LIMIT_MS = 500
// The flags of more projects cannot be read in time, and reading them at every Tab would burden the service.
const MAX_PROJECTS = 20
// A name with other characters could be shell syntax, or look like an option.
const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/

const silent = { fail() {}, warn() {}, note() {}, debug() {} }

/** The context of the command line that is being completed: with its options, and without messages. */
function contextOf(context: Context, { given }: CursorPosition, signal: AbortSignal): Context {
  const text = (name: string) => {
    const value = given.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const options = {
    ...context.options,
    profile: text('profile'),
    baseUrl: text('baseUrl'),
    apiKeyFile: text('apiKeyFile'),
    config: text('config'),
    allowHttp: given.has('allowHttp') || undefined,
    // One attempt, within the limit.
    timeout: '1s',
    retries: '0',
  }
  return { ...context, options, messages: silent, signal }
}

/**
 * Whether a request may be sent just because Tab was pressed: only with the user's own profile, and not
 * with a key for which a command would run or a file given on the command line would be read.
 */
function isAllowed({ choice, key }: Endpoint): boolean {
  const isOwn = !choice || (choice.profile.trust === 'user' && choice.source.kind !== 'project')
  return isOwn && key?.origin !== 'apiKeyCommand' && key?.origin !== '--api-key-file'
}

async function readNames(
  service: Service,
  kind: ServiceName,
  { given }: CursorPosition,
): Promise<string[]> {
  if (kind === 'project') return listedProjects(service)
  const project = given.get('project')
  const isId = typeof project === 'string' && !project.includes('*')
  const ids = isId ? [project] : await listedProjects(service)
  if (ids.length > MAX_PROJECTS) return []
  const lists = await Promise.all(
    ids.map((id) => service.read(operations.projectFeatures, { projectId: id })),
  )
  return lists.flatMap(({ data }) => data.features.map(({ name }) => name))
}

async function connectedNames(
  context: Context,
  kind: ServiceName,
  position: CursorPosition,
): Promise<string[]> {
  const configurations = await connectionConfiguration(context)
  if (!isSandbox(context) && !isAllowed(resolveEndpoint(context, configurations))) return []
  const { service } = await connectWith(context, configurations)
  const names = await readNames(service, kind, position)
  return names.filter((name) => NAME.test(name) && !position.operands.includes(name))
}

/** The names that the service of a command line has; none if they cannot be read in time. */
export async function serviceNames(
  context: Context,
  kind: ServiceName,
  position: CursorPosition,
): Promise<string[]> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  context.signal.addEventListener('abort', stop)
  const late = context.host.clock.sleep(LIMIT_MS, controller.signal).then((): string[] => [])
  try {
    const given = contextOf(context, position, controller.signal)
    return await Promise.race([connectedNames(given, kind, position), late])
  } catch (error) {
    if (error instanceof FlagadmError) return []
    throw error
  } finally {
    stop()
  }
}
