import { Chalk } from 'chalk'
import type { Host } from '../../host.ts'
import { formatted, type Safe } from './text.ts'

export type ColorChoice = 'auto' | 'always' | 'never'

/**
 * Whether to colour a stream: the option first, then `NO_COLOR`, then `FORCE_COLOR` and
 * `CLICOLOR_FORCE`, then whether it is a terminal with colours.
 * @param choice false for `--no-color`
 */
export function usesColor(
  choice: ColorChoice | false,
  isTerminal: boolean,
  env: Host['env'],
): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env.NO_COLOR) return false
  const forced = env.FORCE_COLOR ?? env.CLICOLOR_FORCE
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env.TERM !== 'dumb'
}

/** Colours text that is safe to print. */
export type Paint = (text: Safe) => Safe

/** The colours and styles of a stream; without colours, they return the text unchanged. */
export type Style = Record<'bold' | 'dim' | 'underline' | 'green' | 'red' | 'yellow', Paint>

// The yellow of many light themes cannot be read on white. This brown has a contrast of over 4 on white and on black.
const YELLOW = 130

/** A new chalk, because the shared one detects colours itself and ignores `NO_COLOR` on a terminal. */
export function createStyle(colored: boolean): Style {
  const chalk = new Chalk({ level: colored ? 2 : 0 })
  return {
    bold: (text) => formatted(chalk.bold(text)),
    dim: (text) => formatted(chalk.dim(text)),
    underline: (text) => formatted(chalk.underline(text)),
    green: (text) => formatted(chalk.green(text)),
    red: (text) => formatted(chalk.red(text)),
    yellow: (text) => formatted(chalk.ansi256(YELLOW)(text)),
  }
}
