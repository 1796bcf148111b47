import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/flagadm.ts'

/** The type errors in a copy of the sources in which the text of a file is changed, as lines without positions. */
async function errorsIn(path: string, change: (text: string) => string): Promise<string[]> {
  const folder = await temporaryFolder({
    'tsconfig.json': JSON.stringify({ extends: resolve('tsconfig.json'), include: [path] }),
  })
  for (const name of ['src', 'package.json']) {
    cpSync(name, join(folder, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
  const file = join(folder, path)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--incremental', 'false'], { cwd: folder })
  const errors = stdout.toString().replaceAll(/\(\d+,\d+\)/g, '')
  return errors.split('\n').filter(Boolean)
}

test('a report that prints text without making it safe does not compile', async () => {
  const path = 'src/doctor/report/checks.ts'
  const errors = await errorsIn(path, (text) => {
    const unsafe = text.replace('text(message + next)', 'message + next')
    expect(unsafe).not.toBe(text)
    return unsafe
  })
  expect(errors).toEqual([
    `${path}: error TS2345: Argument of type 'string[][]' is not assignable to parameter of type 'readonly Cells[]'.`,
    "  Type 'string[]' is not assignable to type 'Cells'.",
    "    Type 'string' is not assignable to type 'Safe'.",
    "      Type 'string' is not assignable to type '{ readonly [brand]: true; }'.",
  ])
})
