import { connect } from '../profile/connection.ts'
import type { Context } from '../context.ts'
import { unknownNamesIn } from './flag.ts'
import { selectUnknownNames } from './selection.ts'
import type { FormatOf } from '../output/formats.ts'
import { writeBlocks } from '../output/blocks.ts'
import { serviceDocument } from '../output/json.ts'
import { renderUnknownNames } from './report/formats.ts'
import { captionOf, filterText, type ListOptions } from './filter.ts'

/** Lists the names that SDKs ask for but no flag has, with applications and environments. */
export async function listUnknownNames(
  context: Context,
  options: ListOptions,
  format: FormatOf<'list'>,
): Promise<void> {
  const { name = [], environment = [] } = options
  const { service, target } = await connect(context)
  const { data, json } = await service.unknownFlags()
  if (format === 'json') {
    await context.write(serviceDocument(json, false, context.printer))
    return
  }
  const filter = { names: name, environments: environment }
  const rows = selectUnknownNames(unknownNamesIn(data), filter)
  const { printer, write, signal } = context
  const filters = filterText(options)
  const about = {
    caption: captionOf(`Unknown names that SDKs asked for, on ${target}`, filters),
    nothing: filters === '' ? 'No unknown names.' : 'No unknown name matches the filters.',
  }
  await writeBlocks(renderUnknownNames(format, rows, about, printer), write, signal)
}
