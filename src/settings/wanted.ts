import { FlagadmError } from '../errors.ts'
import type { Inputs } from '../input/files.ts'
import { type Path, pathText } from '../input/shape.ts'
import type { FeatureNaming, PartialSettings } from '../service/settings-document.ts'
import { type DocumentProblem, readSettingsFile } from './documents.ts'
import { declaredFields } from './settings.ts'

/** The options of `project settings set`. */
export interface SetOptions {
  mode?: string | undefined
  namingPattern?: string | undefined
  namingExample?: string | undefined
  namingDescription?: string | undefined
  namingDescriptionFile?: string | undefined
  clearNaming?: true | undefined
  file?: string | undefined
  verify: boolean
  read: boolean
  force?: true | undefined
  yes?: true | undefined
  dryRun?: true | undefined
}

/** The options that set fields. */
const optionNames: Record<string, string> = {
  mode: '--mode',
  'featureNaming.pattern': '--naming-pattern',
  'featureNaming.example': '--naming-example',
  'featureNaming.description': '--naming-description',
}

async function namingOf(options: SetOptions, inputs: Inputs): Promise<Partial<FeatureNaming>> {
  if (options.clearNaming) return { pattern: '', example: '', description: '' }
  const { namingPattern, namingExample, namingDescription, namingDescriptionFile: file } = options
  const description =
    file === undefined
      ? namingDescription
      : await inputs.read(file, '--naming-description-file', 'usage')
  return {
    ...(namingPattern !== undefined && { pattern: namingPattern }),
    ...(namingExample !== undefined && { example: namingExample }),
    ...(description !== undefined && { description }),
  }
}

/** The settings that the user gives. */
interface Wanted {
  settings: PartialSettings
  /** Problems of the file. */
  problems: DocumentProblem[]
  /** What to call a field in errors: the option, or the place in the file as well. */
  shown(path: Path): string
}

/**
 * The settings of the file, overridden by the options.
 * @throws a usage error when there are none or the file cannot be read
 */
export async function wantedSettings(options: SetOptions, inputs: Inputs): Promise<Wanted> {
  const { file } = options
  const read = file === undefined ? undefined : await readSettingsFile(file, inputs)
  const { settings, problems } = read ?? { settings: {}, problems: [] }
  const mode = options.mode === undefined ? {} : { mode: options.mode }
  const naming = await namingOf(options, inputs)
  const featureNaming = { ...settings.featureNaming, ...naming }
  const hasNaming = Object.keys(featureNaming).length > 0
  const { linkTemplates } = settings
  const wanted = {
    ...(settings.mode !== undefined && { mode: settings.mode }),
    ...mode,
    ...(hasNaming && { featureNaming }),
    ...(linkTemplates && { linkTemplates }),
  }
  if (problems.length === 0 && declaredFields(wanted).length === 0) {
    throw new FlagadmError('usage', 'no settings given', {
      hint: 'use --mode, --naming-pattern, --clear-naming or --file',
    })
  }
  const given = declaredFields({ ...mode, featureNaming: naming })
  const isGiven = (path: Path) => given.some((field) => field === path.join('.'))
  return {
    settings: wanted,
    problems,
    shown: (path) =>
      read && !isGiven(path)
        ? `${read.placeOf(path)}: ${pathText(path)}`
        : (optionNames[path.join('.')] ?? pathText(path)),
  }
}
