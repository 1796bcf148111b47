import type { Stats } from 'node:fs'
// The public `cosmiconfig()` and `cosmiconfigSync()` first search the working directory for options:
// they execute `.config/config.js` and apply `.config/config.json`, and no option turns that off.
import { Explorer } from 'cosmiconfig/dist/Explorer.js'
import { FlagadmError, refuse } from '../errors.ts'
import { parseDocument, withoutSchema } from '../input/document.ts'
import { MAX_BYTES, readWithin } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import { checkShape, describeProblem } from '../input/shape.ts'
import { type Configuration, configurationSchema } from './configuration-schema.ts'

async function loadData(path: string, text: string): Promise<unknown> {
  const data = await parseDocument(text, { name: path, kind: 'configuration' })
  const imports = [data, isObject(data) ? data.flagadm : undefined]
  // Cosmiconfig would merge another file into this one, which could combine its address with this key.
  if (imports.some((part) => isObject(part) && Object.hasOwn(part, '$import'))) {
    refuse(`${path}: $import is refused`, 'write all fields into one file')
  }
  return data
}

/** Only loads files, so it needs no options for searching. Every file is data, whatever its extension. */
const explorer = new Explorer({
  moduleName: 'flagadm',
  searchPlaces: [],
  loaders: { default: loadData },
  transform: (result) => result,
})

/**
 * The configuration in a file, or in a pipe; undefined if it is empty.
 * @throws a configuration error for a field that is unknown, missing or of the wrong type
 */
export async function readContent(path: string, stats: Stats): Promise<Configuration | undefined> {
  if (stats.size > MAX_BYTES) refuse(`${path}: it is larger than 16 MiB`, 'check the path')
  const content = stats.isFile()
    ? (await explorer.load(path))?.config
    : await loadData(path, `${await readWithin(path, path, 'configuration')}`)
  if (content == null) return undefined
  const { data, problem } = checkShape(configurationSchema, withoutSchema(content))
  if (!problem) return data
  throw new FlagadmError('configuration', `${path}: ${describeProblem(problem)}`, {
    hint: 'for the fields:',
    command: ['flagadm', 'help', 'variables'],
  })
}
