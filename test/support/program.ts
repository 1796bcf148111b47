import { PassThrough } from 'node:stream'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { commands, createProgram } from '../../src/cli/commands.ts'
import { createContext } from '../../src/command/context.ts'
import { pathOf, printHelp } from '../../src/command/help-text.ts'
import { systemClock } from '../../src/host.ts'
import { openWriter } from './writer.ts'

/** A command, its name, its output formats and its help at a width. */
export interface LoadedCommand {
  command: CommandUnknownOpts
  path: string
  formats: readonly string[]
  help(width: number): string
}

/** A host without input, files and settings. */
export function hostOfNothing() {
  return {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    openTerminal: async () => undefined,
    env: {},
    cwd: '/',
    home: undefined,
    pid: 1,
    uid: undefined,
    platform: process.platform,
    clock: systemClock,
    interruption: new AbortController().signal,
    writesToFile: () => false,
    holdSignals: () => () => {},
  }
}

/** The root and all commands, with their options. */
export async function loadCommands(): Promise<{
  root: CommandUnknownOpts
  all: LoadedCommand[]
}> {
  const context = createContext([], hostOfNothing(), (self) =>
    createProgram(self, (root) => root.exitOverride().configureOutput({ outputError: () => {} })),
  )
  const paths = ['', ...commands.filter(({ hidden }) => !hidden).map(({ words }) => words)]
  const all: LoadedCommand[] = []
  for (const words of paths) {
    const command = await context.program.find(words.split(' '))
    const formats = context.formatsOf(command)
    const help = (width: number) => {
      const { out, written } = openWriter(width)
      printHelp(command, formats, out)
      return written()
    }
    all.push({ command, path: pathOf(command), formats, help })
  }
  return { root: context.program.root, all }
}

/** The command lines of the examples in a help. */
export function examplesIn(help: string): string[] {
  return Array.from(help.matchAll(/^ {2}(flagadm .+)$/gm), ([, line = '']) => line)
}
