import { pMapIterable } from 'p-map'
import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { aboutFeature, FlagadmError } from '../errors.ts'
import { compactJson, safeJson } from '../output/text.ts'
import type { Service, UsageAnswer } from '../service/client.ts'

const CONCURRENCY = 8

type Reading = { name: string; answer: UsageAnswer } | { name: string; error: FlagadmError }

async function read(service: Service, name: string): Promise<Reading> {
  try {
    return { name, answer: await service.featureUsage(name) }
  } catch (error) {
    if (!(error instanceof FlagadmError) || error.kind === 'interrupted') throw error
    return { name, error }
  }
}

type Show = (name: string, answer: UsageAnswer) => Promise<string>

async function chooseShow(context: Context, several: boolean): Promise<Show> {
  if (context.format(['table', 'json']) === 'json') {
    return async (_name, { json }) => `${safeJson(several ? compactJson(json) : json.trimEnd())}\n`
  }
  const { usageText } = await import('../output/usage-table.ts')
  const style = await context.style()
  let gap = ''
  return async (name, { usage }) => {
    const text = gap + usageText(usage, name, context.width, style)
    gap = '\n'
    return text
  }
}

function failureOfAll(failures: readonly FlagadmError[], asked: number): FlagadmError {
  const [first] = failures
  const alike = failures.length === asked && failures.every(({ kind }) => kind === first?.kind)
  const kind = alike && first ? first.kind : 'partial'
  return new FlagadmError(kind, `${failures.length} of ${asked} flags could not be read`)
}

/**
 * Reads and shows the usage of flags in the order asked. A flag that fails is reported and hides
 * no other one.
 * @throws the failure of a single flag; of several, one that counts them
 */
export async function showUsage(context: Context, names: readonly string[]): Promise<void> {
  const several = names.length > 1
  const show = await chooseShow(context, several)
  const { service } = await connect(context)
  const failures: FlagadmError[] = []
  const readings = pMapIterable(names, (name) => read(service, name), { concurrency: CONCURRENCY })
  for await (const reading of readings) {
    if ('error' in reading) {
      if (!several) throw reading.error
      failures.push(reading.error)
      context.messages.fail(aboutFeature(reading.error, reading.name))
      continue
    }
    const { maturity } = reading.answer.usage
    if (maturity === 'deprecated') {
      context.messages.warn(`${reading.name}: this operation of the service is deprecated`)
    }
    await context.write(await show(reading.name, reading.answer))
  }
  if (failures.length > 0) throw failureOfAll(failures, names.length)
}
