import { Chalk, type ChalkInstance } from 'chalk'
import type { Host, OutputStream } from '../host.ts'

export type ColorChoice = 'auto' | 'always' | 'never'

/**
 * Whether to colour a stream: the option first, then `NO_COLOR`, then `FORCE_COLOR` and
 * `CLICOLOR_FORCE`, then whether it is a terminal with colours.
 * @param choice false for `--no-color`
 */
export function usesColor(
  choice: ColorChoice | false,
  stream: Pick<OutputStream, 'isTTY'>,
  env: Host['env'],
): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env.NO_COLOR) return false
  const forced = env.FORCE_COLOR ?? env.CLICOLOR_FORCE
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** A new chalk, since the shared one detects colours itself and ignores `NO_COLOR` on a terminal. */
export function createStyle(colored: boolean): ChalkInstance {
  return new Chalk({ level: colored ? 1 : 0 })
}
