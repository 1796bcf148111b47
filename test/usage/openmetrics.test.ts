import { describe, expect, it } from 'vitest'
import { words } from '../support/text.ts'
import { feature, type FeatureWorld, type Projects } from '../flags/service.ts'

const used = (yes: number, appName = 'web') => ({ usage: [{ hoursAgo: 1, yes, no: 0, appName }] })
const projects: Projects = { shop: { a: used(3) }, mail: { b: used(4) }, empty: {} }

/** The lines of an exposition. */
async function lines(text: string, seed = projects, world: FeatureWorld = {}) {
  const { stdout } = await feature(['usage', ...words(text), '-o', 'openmetrics'], seed, world)
  return stdout.trimEnd().split('\n')
}

const isSample = (line: string) => !line.startsWith('#')
const seriesOf = (all: readonly string[]) =>
  all.filter(isSample).map((line) => line.slice(0, line.lastIndexOf(' ')))

describe('files for one textfile collector', () => {
  const files = [
    '--project shop --since 24h',
    '--project mail --since 24h',
    '--project shop --since 48h',
    '--project shop --since 24h --label service=second',
    '--project empty --since 24h',
    '--project shop',
    '--project shop --since 24h --group-by application --app web',
    'b --since 24h',
  ]

  it('have the same texts of HELP and TYPE, and no series twice', async () => {
    const all = await Promise.all(files.map((text) => lines(text)))
    // An hour that passes in between.
    all.push(await lines('--project shop --since 12h', projects, { ahead: 3_600_000 }))
    const heads = new Map<string, string>()
    for (const line of all.flat().filter((line) => /^# (HELP|TYPE)/.test(line))) {
      const key = line.split(' ').slice(0, 3).join(' ')
      expect(heads.get(key) ?? line).toBe(line)
      heads.set(key, line)
    }
    const series = all.flatMap(seriesOf)
    expect(series.filter((one, index) => series.indexOf(one) !== index)).toEqual([])
  })
})

describe('series', () => {
  it('have their project and span, also if there is one project', async () => {
    expect((await lines('--project shop --since 24h')).filter(isSample)).toEqual([
      'feature_flag_evaluations{project="shop",flag="a",application="web",environment="production",span="24h",result="enabled"} 3',
      'feature_flag_evaluations{project="shop",flag="a",application="web",environment="production",span="24h",result="disabled"} 0',
      'feature_flag_usage_since_timestamp_seconds{project="shop",span="24h"} 1795104000',
      'feature_flag_usage_unread{project="shop",span="24h",kind="flag"} 0',
      'feature_flag_usage_unread{project="shop",span="24h",kind="application"} 0',
      'feature_flag_usage_unread{project="shop",span="24h",kind="project"} 0',
    ])
  })

  it('have the labels that are given, and the filter that rows do not show', async () => {
    const text = '--project shop --since 24h --app web --group-by flag --label service=main'
    const [first] = (await lines(text)).filter(isSample)
    expect(first).toBe(
      'feature_flag_evaluations{project="shop",flag="a",application="web",span="24h",service="main",result="enabled"} 3',
    )
  })

  it('say which project could not be read', async () => {
    const text = '--project shop --project forbidden --since 24h'
    const all = await lines(text, { ...projects, forbidden: {} })
    expect(all).toContain(
      'feature_flag_usage_unread{project="forbidden",span="24h",kind="project"} 1',
    )
    expect(all).toContain('feature_flag_usage_unread{project="shop",span="24h",kind="project"} 0')
  })
})
