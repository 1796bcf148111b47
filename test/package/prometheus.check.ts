import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { feature, type Projects } from '../flags/service.ts'
import { words } from '../support/text.ts'

/** The samples of a text, as `metric {"label":"value"} 3`: Prometheus takes an empty label for none. */
function samplesOf(text: string): string[] {
  const sample = /^(feature_flag\w+)\{(.*)\} (\S+)$/gm
  return Array.from(text.matchAll(sample), ([, metric, labels = '', value]) => {
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    const named = pairs.filter((pair) => pair[2] !== '').map((pair) => `${pair[1]}="${pair[2]}"`)
    return `${metric} ${named.sort().join(',')} ${Number(value)}`
  }).sort()
}

/** Starts the textfile collector for a folder. @returns what it serves */
async function collected(folder: string): Promise<string> {
  const textfile = ['--collector.textfile', `--collector.textfile.directory=${folder}`]
  const argv = ['--collector.disable-defaults', ...textfile, '--web.listen-address=127.0.0.1:0']
  const exporter = spawn('prometheus-node-exporter', argv, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(async () => {
    exporter.kill()
    await once(exporter, 'exit')
  })
  for await (const line of createInterface({ input: exporter.stderr })) {
    const [, address] = / msg="Listening on" address=(\S+)/.exec(line) ?? []
    if (address !== undefined) return (await fetch(`http://${address}/metrics`)).text()
  }
  throw new Error('the node exporter has ended')
}

test('a node exporter serves the sum of the files of two projects, services, spans and hours', async () => {
  const used = (yes: number, appName = 'web "x"\\y') => ({
    usage: [{ hoursAgo: 1, yes, no: 1, appName, variants: { 'bl"ue': 2 } }],
  })
  const first: Projects = { shop: { a: used(3), idle: {} }, mail: { b: used(4) }, empty: {} }
  const second: Projects = { shop: { a: used(5), idle: {} }, mail: { b: used(6) } }
  const anHour = 3_600_000
  const runs: readonly (readonly [options: string, projects: Projects, ahead?: number])[] = [
    ['--project shop --since 24h', first],
    ['--project mail --since 24h', first, anHour],
    ['--project empty --since 24h', first],
    ['--all-projects --since 48h', first, anHour],
    ['--all-projects --since 12h --by hour', first],
    ['--project shop', first],
    ['b nothing', first, anHour],
    ['--project shop --since 24h --label service=second', second],
    ['--all-projects --since 48h --label service=second', second, anHour],
    ['b --since 24h --group-by variant --label service=second', second],
  ]
  const folder = mkdtempSync(join(tmpdir(), 'flagadm-collector-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const texts: string[] = []
  for (const [index, [options, projects, ahead = 0]] of runs.entries()) {
    const argv = ['usage', ...words(options), '-o', 'openmetrics']
    const { stdout } = await feature(argv, projects, { ahead })
    texts.push(stdout)
    writeFileSync(join(folder, `${index}.prom`), stdout)
  }
  expect(texts.map(samplesOf)).not.toContainEqual([])
  const served = await collected(folder)
  expect(served).toContain('\nnode_textfile_scrape_error 0\n')
  expect(samplesOf(served)).toEqual(texts.flatMap(samplesOf).sort())
  expect(execFileSync('promtool', ['check', 'metrics'], { input: served, encoding: 'utf8' })).toBe(
    '',
  )
})
