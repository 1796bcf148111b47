import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { shell } from '../support/binary.ts'
import { environment, temporaryFolder } from '../support/flagadm.ts'
import { copyProgram, restricted } from '../support/nobody.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFile(join(root, name), 'utf8')

const stages = (await read('Dockerfile')).split(/^(?=FROM )/m).slice(1)
const [building = ''] = stages

/** The values of the instructions of a stage with a name. */
function valuesOf(stage: string, name: string): string[] {
  return stage.match(new RegExp(`(?<=^${name} ).+`, 'gm')) ?? []
}

/** The paths that a stage copies from the checkout. */
function sourcesOf(stage: string): string[] {
  const copied = valuesOf(stage, 'COPY').filter((value) => !value.startsWith('--from='))
  return copied.flatMap((value) => value.split(' ').slice(0, -1))
}

/** Runs the build stage in a folder, with the packages that are installed here; returns the folder. */
async function build(): Promise<string> {
  const folder = await temporaryFolder()
  for (const source of sourcesOf(building)) {
    await cp(join(root, source), join(folder, source), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const commands = valuesOf(building, 'RUN').filter((command) => !command.startsWith('npm ci '))
  execFileSync('sh', ['-ec', commands.join('\n')], { cwd: folder, stdio: 'ignore' })
  return folder
}

/** The names of the files in a folder, without hashes, which depend on where the packages are. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => name.replace(/-[\w-]{8}\.js$/, '.js')).sort()
}

describe('the Dockerfile', () => {
  test('copies only what .dockerignore includes', async () => {
    const included = (await read('.dockerignore')).match(/(?<=^!).+$/gm) ?? []
    expect(stages.flatMap(sourcesOf).sort()).toEqual([...included].sort())
  })

  test('contains all that flagadm needs, also for another user', async () => {
    const built = join(await build(), 'dist')
    expect(await namesIn(built)).toEqual(await namesIn(join(root, 'dist')))
    const placement = await restricted()
    const { env, remove } = await copyProgram()
    onTestFinished(remove)
    const image = join(placement.cwd, 'opt/flagadm')
    await cp(join(root, 'bin'), join(image, 'bin'), { recursive: true })
    await cp(built, join(image, 'dist'), { recursive: true })
    const { baseUrl, key } = inject('sandbox')
    const world = { ...env, ...environment(baseUrl, key), BIN: join(image, 'bin/flagadm.js') }
    const script = `flagadm --version
      echo '{"projects":{"checkout":{}}}' | flagadm project settings plan -f - -o markdown
      flagadm naming lint --pattern '[a-z]+' --example a --description d -o github`
    const { code, stdout, stderr } = await shell(script, world, placement)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.startsWith(`${manifest.version}\n<!-- flagadm plan ${baseUrl} -->\n`)).toBe(true)
    expect(stdout).toContain('1 project: 0 would change, 1 unchanged\n')
  })
})
