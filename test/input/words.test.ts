import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LEGAL_CHARACTERS } from '../../src/input/flag-names.ts'
import { commandWords } from '../../src/input/words.ts'
import { shellCommand, shellWord } from '../../src/shell.ts'

test.each([
  ['pass show flags/production', ['pass', 'show', 'flags/production']],
  [`  op read 'op://My "flags"'/key  "it's"`, ['op', 'read', 'op://My "flags"/key', "it's"]],
  [
    String.raw`"C:\Program Files\k.exe" \\server\x "" *.key ~/k`,
    [String.raw`C:\Program Files\k.exe`, String.raw`\\server\x`, '', '*.key', '~/k'],
  ],
  ["sh -c 'a | b > $HOME'", ['sh', '-c', 'a | b > $HOME']],
])('the words of %s are %j', (command, expected) => {
  expect(commandWords(command, '--x')).toEqual(expected)
})

const shell = '--x: the command contains shell syntax'
test.each([
  ['pass show "flags', '--x: a quotation mark is missing'],
  [' ', '--x: the command is empty'],
  ['cat key | head -1', shell],
  [String.raw`cat a\ b`, shell],
  [String.raw`k.exe "C:\dir\"`, shell],
])('%s is refused', (command, problem) => {
  expect(() => commandWords(command, '--x')).toThrow(problem)
})

test.each([
  ['../a-b/c.yaml', '../a-b/c.yaml'],
  ['', "''"],
  ["it's $x", `'it'\\''s $x'`],
  ['~root', "'~root'"],
  ['a=~', "'a=~'"],
  ['=ls', "'=ls'"],
])('%s is the shell word %s', (word, expected) => {
  expect(shellWord(word)).toBe(expected)
})

const shells = ['bash', 'zsh', 'fish'].filter(
  (shell) => spawnSync(shell, ['-c', 'true']).status === 0,
)

test.each(shells)('%s reads every name as it was printed', (shell) => {
  const name = fc.string({
    unit: fc.constantFrom(...LEGAL_CHARACTERS, ' ', '=', '$', '"', '/', ':', '#', '&', 'é'),
    maxLength: 8,
  })
  const words = ['~root', '~', '=ls', '-n', '%1', '^a', '!!', ...fc.sample(name, 500)]
  const command = shellCommand(['printf', '%s\\n', ...words])
  const read = execFileSync(shell, ['-c', command], { encoding: 'utf8' })
  expect(read).toBe(words.map((word) => `${word}\n`).join(''))
})
