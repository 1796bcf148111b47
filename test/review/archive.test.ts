import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { review } from './service.ts'

const script = fileURLToPath(new URL('../../examples/archive-commands.mjs', import.meta.url))

test('the example prints the commands that archive removable flags, by project', async () => {
  const projects = {
    shop: {
      old: {},
      older: {},
      used: { usage: [[1, 1, 1]] as const },
      switch: { type: 'kill-switch' },
    },
    "it's": { banner: {} },
  }
  const { stdout } = await review(['-o', 'jsonl'], projects)
  const commands = execFileSync(process.execPath, [script], { input: stdout, encoding: 'utf8' })
  const start =
    `printf 'Authorization: %s' "$FLAGADM_API_KEY" | curl -sS --fail-with-body -X POST -H @- ` +
    `-H 'Content-Type: application/json' "$FLAGADM_BASE_URL"`
  expect(commands.split('\n')).toEqual([
    `${start}'/api/admin/projects/it'\\''s/archive' --data '{"features":["banner"]}'`,
    `${start}'/api/admin/projects/shop/archive' --data '{"features":["old","older"]}'`,
    '',
  ])
})
