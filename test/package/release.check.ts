import { execFileSync } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../support/flagadm.ts'
import { type Run, runJob } from '../support/runner.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const changelog = `# Changelog

## [Unreleased]

## [9.8.7] - 2030-01-02

### Added

- Something new, see [Usage](docs/usage.md).

## [9.8.6] - 2030-01-01

- Something old.
`

/** A checkout of version 9.8.7 with the packages that are installed here. */
async function checkout(text = changelog): Promise<string> {
  const folder = await temporaryFolder()
  const left = ['node_modules', '.git', 'test']
  await cp(root, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const release = { ...manifest, version: '9.8.7' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(release))
  await writeFile(join(folder, 'CHANGELOG.md'), text)
  return folder
}

// What cannot run here is recorded: the registries, GitHub, and the builder of images.
const record = 'printf \'%s\\n\' "${0##*/} $*" >> "$CALLS"'
const programs = {
  npm: `case $1 in ci | publish) ${record} ;; *) PATH=$REAL_PATH exec npm "$@" ;; esac`,
  gh: record,
  docker: `${record}
case "$1 $2" in
  'login '*) cat >> "$CALLS" ;;
  'buildx imagetools') echo sha256:0a ;;
  'buildx build') echo '{"containerimage.digest":"sha256:1b"}' > "$RUNNER_TEMP/image.json" ;;
esac`,
}

/** Runs a job of the release as it is written; returns what it did, and the calls that were recorded. */
async function release(
  job: string,
  workspace: string,
  tag = 'v9.8.7',
  needs: Record<string, Run> = {},
) {
  const folder = await temporaryFolder({ calls: '' })
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const { PATH = '' } = process.env
  const env = {
    CALLS: join(folder, 'calls'),
    PATH: [folder, PATH].join(delimiter),
    REAL_PATH: PATH,
    GITHUB_REF_NAME: tag,
    GITHUB_ACTOR: 'octocat',
    GITHUB_SHA: 'c0ffee',
    RUNNER_TEMP: folder,
  }
  const text = await readFile(join(root, '.github/workflows/release.yml'), 'utf8')
  const run = await runJob(text, job, { workspace, env, needs, ref: `refs/tags/${tag}` })
  const calls = (await readFile(env.CALLS, 'utf8')).split('\n').slice(0, -1)
  return { run, calls, folder }
}

const IMAGE = 'ghcr.io/shop/flags:9.8.7@sha256:1b'
const BASE = 'node:24-alpine@sha256:0a'

test('a release builds the image, then packs, publishes and describes the package', async () => {
  const workspace = await checkout()
  const image = await release('image', workspace)
  expect([image.run.code, image.run.outputs]).toEqual([0, { image: IMAGE, base: BASE }])
  expect(image.calls).toEqual([
    'docker buildx imagetools inspect node:24-alpine --format {{.Manifest.Digest}}',
    'docker login ghcr.io --username octocat --password-stdin',
    'writing-token',
    'docker buildx create --use --driver docker-container',
    [
      'docker buildx build . --push --platform linux/amd64,linux/arm64 --sbom=true --provenance=mode=max',
      `--build-arg BASE=${BASE} --tag ghcr.io/shop/flags:9.8.7`,
      `--metadata-file ${image.folder}/image.json`,
      '--label org.opencontainers.image.source=https://github.com/shop/flags',
      '--label org.opencontainers.image.revision=c0ffee',
      '--label org.opencontainers.image.version=9.8.7',
      `--label org.opencontainers.image.base.name=${BASE}`,
    ].join(' '),
  ])

  const packed = await release('package', workspace, 'v9.8.7', { image: image.run })
  expect(packed.run).toMatchObject({ code: 0 })
  const notes = `${packed.folder}/notes.md`
  expect(packed.calls).toEqual([
    'npm ci',
    'npm publish ./release/flagadm-9.8.7.tgz --provenance --access public',
    `gh release create v9.8.7 --verify-tag --notes-file ${notes} release/SHA256SUMS release/flagadm-9.8.7.tgz`,
  ])
  expect(await readFile(notes, 'utf8')).toBe(
    `### Added

- Something new, see [Usage](https://github.com/flagadm/flagadm/blob/v9.8.7/docs/usage.md).

Container image: \`${IMAGE}\`, built from \`${BASE}\`.
`,
  )
  const check = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: join(workspace, 'release'),
    encoding: 'utf8',
  })
  expect(check).toBe('flagadm-9.8.7.tgz: OK\n')
})

test.each([
  ['v9.8.6', changelog, "the tag 'v9.8.6' is not v9.8.7, the version in package.json"],
  ['v9.8.7', '# Changelog\n\n## [Unreleased]\n', 'CHANGELOG.md has no version 9.8.7'],
  ['v9.8.7', changelog.replace(' - 2030-01-02', ''), "'## [9.8.7]' in CHANGELOG.md has no date"],
])('a release of %s is refused before anything is published', async (tag, text, problem) => {
  const workspace = await checkout(text)
  for (const job of ['image', 'package']) {
    const { run, calls } = await release(job, workspace, tag)
    expect([run.code, run.log, calls]).toEqual([1, `error: ${problem}\n`, []])
  }
})
