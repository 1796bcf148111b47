import type { Context } from '../old/context.ts'
import { FlagadmError } from '../errors.ts'
import { parsePlaced } from '../input/document.ts'
import { inputName } from '../input/files.ts'
import { isObject } from '../input/json.ts'
import type { FeatureNaming, ProjectSettings } from '../service/schema.ts'
import { settingsIn } from '../service/settings-document.ts'
import { VALID_EXAMPLE } from './documents.ts'

/** The options of `project settings set`. */
export interface SetOptions {
  mode?: string | undefined
  namingPattern?: string | undefined
  namingExample?: string | undefined
  namingDescription?: string | undefined
  namingDescriptionFile?: string | undefined
  clearNaming?: true | undefined
  fromFile?: string | undefined
  verify: boolean
  read: boolean
  force?: true | undefined
  yes?: true | undefined
  dryRun?: true | undefined
}

/** @throws a usage error for a document of several projects */
async function readSettingsFile(path: string, { inputs }: Context): Promise<ProjectSettings> {
  const text = await inputs.read(path, '--from-file', 'usage')
  const name = inputName(path)
  const { data } = await parsePlaced(text, name, 'usage', VALID_EXAMPLE)
  if (!isObject(data) || !('projects' in data)) return settingsIn(data, name)
  throw new FlagadmError('usage', `${name} has settings of several projects`, {
    hint: 'use flagadm project settings plan and apply',
  })
}

async function namingOf(options: SetOptions, { inputs }: Context): Promise<FeatureNaming> {
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

/**
 * The settings that the user gives: those of the file, overridden by the options.
 * @throws a usage error when there are none or the file is wrong
 */
export async function wantedSettings(
  projectId: string,
  options: SetOptions,
  context: Context,
): Promise<ProjectSettings> {
  const { fromFile } = options
  const file = fromFile === undefined ? {} : await readSettingsFile(fromFile, context)
  const mode = options.mode ?? file.mode
  const featureNaming = { ...file.featureNaming, ...(await namingOf(options, context)) }
  const hasNaming = Object.keys(featureNaming).length > 0
  const { linkTemplates } = file
  if (mode === undefined && !hasNaming && linkTemplates === undefined) {
    throw new FlagadmError('usage', 'no settings given', {
      hint: 'use --mode, --naming-pattern, --clear-naming or --from-file',
    })
  }
  return {
    ...(mode !== undefined && { mode }),
    ...(hasNaming && { featureNaming }),
    ...(linkTemplates && { linkTemplates }),
  }
}
