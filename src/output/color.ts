import type { Host, OutputStream } from '../host.ts'
import type { Paint } from './text.ts'

export type ColorChoice = 'auto' | 'always' | 'never'

/**
 * Whether to colour a stream: the option first, then `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`,
 * then whether it is a terminal with colours. An empty variable counts as unset.
 * @param choice false for `--no-color`
 */
export function usesColor(
  choice: ColorChoice | false,
  { isTTY }: Pick<OutputStream, 'isTTY'>,
  env: Host['env'],
): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env.NO_COLOR) return false
  const forced = env.FORCE_COLOR || env.CLICOLOR_FORCE
  if (forced) return forced !== '0' && forced !== 'false'
  return isTTY === true && env.TERM !== 'dumb'
}

/** Loads chalk. A new instance, because the shared one detects colours itself and ignores `NO_COLOR`. */
export async function loadPaint(): Promise<Paint> {
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: 1 })
  return (style, text) => chalk[style](text)
}
