import { type Connected, connect, findAddress } from '../connection.ts'
import type { Context } from '../context.ts'
import { formats } from '../formats.ts'
import { settingsJson, settingsText } from '../output/settings.ts'
import { operations, requestOf } from '../service/operations.ts'
import type { ProjectSettings } from '../service/schema.ts'
import { verifySettings, warnAboutNaming } from './settings-check.ts'
import { readSettings, type SettingsOptions } from './settings-input.ts'

interface SetOptions extends SettingsOptions {
  verify: boolean
  dryRun?: true | undefined
}

/** Sends the settings of options and file; a dry run shows the request instead. */
export async function setProjectSettings(
  context: Context,
  projectId: string,
  options: SetOptions,
): Promise<void> {
  const format = context.format(formats.settings)
  const settings = await readSettings(options, context.inputs)
  const request = requestOf(operations.updateProjectSettings, { projectId }, settings)
  if (options.verify) await verifySettings(settings, context.signal)
  warnAboutNaming(settings, context.messages)
  const dryRun = options.dryRun === true
  const service = dryRun ? await planned(context) : await send(context, projectId, settings)
  const report = context.redactor.redactAll({ projectId, ...service, dryRun, request, settings })
  await context.write(
    format === 'json' ? settingsJson(report) : settingsText(report, await context.style()),
  )
  if (dryRun) context.messages.note('dry run: nothing was sent')
}

type Target = Pick<Connected, 'baseUrl' | 'target'>

async function planned(context: Context): Promise<Target> {
  const baseUrl = await findAddress(context)
  return { baseUrl, target: baseUrl }
}

async function send(
  context: Context,
  projectId: string,
  settings: ProjectSettings,
): Promise<Target> {
  const { service, baseUrl, target } = await connect(context)
  await service.updateProjectSettings(projectId, settings)
  return { baseUrl, target }
}
