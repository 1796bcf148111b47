import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { flagadm, type World } from '../support/flagadm.ts'

const world: World = {
  env: { FLAGADM_PROFILE: 'sandbox', NO_COLOR: '1' },
  files: {
    'work/src/a.ts': "isEnabled('checkout-express-pay', isEnabled(name))\n",
    'work/rule.yaml':
      'featureNaming: {pattern: "checkout-[a-z-]+", example: checkout-a, description: d}\n',
    'work/plan.yaml':
      'projects: {checkout: {mode: private, featureNaming: {description: "Names start with the team, then a hyphen, then words in lower case"}}, default: {mode: private}}\n',
  },
}

const commands = [
  'feature usage checkout-new-basket --since 48h',
  'feature usage dark-mode --expect unused --since 48h --project default',
  'feature usage dark-mode nosuch --since 72h',
  'feature usage --all-projects --since 48h --limit 3',
  'feature usage --all-projects --since 48h --group-by project',
  'feature usage --project default --since 48h',
  'feature review --all-projects',
  'feature list --all-projects --not-seen-for 24h',
  'feature list --unknown',
  'feature references --scan src',
  'project list',
  'project settings plan -f plan.yaml',
  'project settings apply -f plan.yaml --yes',
  'project settings set default --mode private --yes',
  'project settings set default --naming-pattern x-.*|y',
  'naming lint --pattern feat-[a-z]+|fix-[a-z]+ --example feat-a',
  'naming check checkout-a basket --rule rule.yaml',
  'naming check --all-projects',
  'naming diff --from pattern:(a|b)-.* --to rule.yaml --scan src',
  'doctor',
  'profile list',
  'profile show sandbox',
  'help environment',
]

// A word that is wider than the terminal stays whole.
const hasWords = (line: string) => line.trim().includes(' ')

describe('every line fits the terminal, and breaks only between words', () => {
  it.each(commands)('flagadm %s', async (line) => {
    for (const columns of [40, 60, 80]) {
      const { stdout, stderr } = await flagadm(line.split(' '), {
        ...world,
        columns,
        talksToTerminal: true,
      })
      const tooWide = `${stdout}${stderr}`
        .replaceAll(/\r\u001b\[K[^\r\n]*/g, '')
        .split('\n')
        .filter((text) => stringWidth(text) > columns && hasWords(text))
      expect([columns, tooWide]).toEqual([columns, []])
    }
  })
})
