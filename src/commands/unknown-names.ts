import { connect } from '../connection.ts'
import type { Context } from '../context.ts'
import { unknownNamesIn } from '../feature/flag.ts'
import { selectUnknownNames } from '../feature/selection.ts'
import type { FormatOf } from '../formats.ts'
import { isFiltered, type ListOptions } from './list-options.ts'
import { renderUnknownNames } from '../output/list-report.ts'
import { serviceDocument } from '../output/json.ts'

/** Lists the names that SDKs ask for and that no flag has, with applications and environments. */
export async function listUnknownNames(
  context: Context,
  options: ListOptions,
  format: FormatOf<'list'>,
): Promise<void> {
  const { name = [], environment = [] } = options
  const { service, target } = await connect(context)
  const { data, json } = await service.unknownFlags()
  if (format === 'json') {
    await context.write(serviceDocument(json, false, context.redactor))
    return
  }
  const rows = selectUnknownNames(unknownNamesIn(data), {
    names: name,
    environments: environment,
  })
  const caption = `Unknown names that SDKs asked for, on ${target}`
  const nothing = isFiltered(options) ? 'No unknown name matches the filters.' : 'No unknown names.'
  await context.write(await renderUnknownNames(context, format, rows, { caption, nothing }))
}
