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

type Instruction = [name: string, value: string]

/** The instructions of the two stages of the Dockerfile. */
async function stages(): Promise<[build: Instruction[], image: Instruction[]]> {
  const lines = (await read('Dockerfile')).split('\n').filter((line) => /^[A-Z]/.test(line))
  const instructions = lines.map((line): Instruction => {
    const space = line.indexOf(' ')
    return [line.slice(0, space), line.slice(space + 1)]
  })
  const second = instructions.findLastIndex(([name]) => name === 'FROM')
  return [instructions.slice(0, second), instructions.slice(second)]
}

function valuesOf(instructions: readonly Instruction[], name: string): string[] {
  return instructions.filter(([one]) => one === name).map(([, value]) => value)
}

/** The paths that a stage copies from the checkout. */
function sourcesOf(instructions: readonly Instruction[]): string[] {
  return valuesOf(instructions, 'COPY')
    .filter((value) => !value.startsWith('--from='))
    .flatMap((value) => value.split(' ').slice(0, -1))
}

/** Runs the build stage in a folder, with the packages that are installed here; returns the folder. */
async function build(instructions: readonly Instruction[]): Promise<string> {
  const folder = await temporaryFolder()
  for (const source of sourcesOf(instructions)) {
    await cp(join(root, source), join(folder, source), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const commands = valuesOf(instructions, 'RUN').filter((command) => !command.startsWith('npm ci '))
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
    const sources = (await stages()).flatMap(sourcesOf)
    expect(sources.sort()).toEqual([...included].sort())
  })

  test('describes an image that runs as a user who is not root', async () => {
    const [, image] = await stages()
    expect(image).toEqual([
      ['FROM', '$BASE'],
      ['RUN', 'apk add --no-cache git'],
      ['COPY', 'bin /opt/flagadm/bin'],
      ['COPY', '--from=build /build/dist /opt/flagadm/dist'],
      ['USER', 'node'],
      ['WORKDIR', '/work'],
      ['ENTRYPOINT', '["node", "/opt/flagadm/bin/flagadm.js"]'],
    ])
  })

  test('contains all that flagadm needs, also for another user', async () => {
    const [instructions] = await stages()
    const built = join(await build(instructions), 'dist')
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
