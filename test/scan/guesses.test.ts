import { describe, expect, it } from 'vitest'
import { referencesIn } from '../support/scan.ts'

type Options = Parameters<typeof referencesIn>[1]

/** A line for each guess. */
async function guesses(files: Record<string, string>, options: Options = {}): Promise<string[]> {
  const found = await referencesIn(files, { guesses: true, ...options })
  return found.guesses.map(({ option, value, uses }) => `${option} ${value}: ${uses}`)
}

const toggles = { 'toggles.ts': "export enum FeatureToggle {\n  NewUi = 'new-ui',\n}" }

describe('guesses', () => {
  it('include functions that take a text, or a member of a type', async () => {
    const files = {
      'a.tsx': "const a = useToggle('new-ui')\nconst b = useToggle(FeatureToggle.NewUi)",
      'b.kt': 'if (service.erFeatureToggletPaa(Toggle.NEW_UI, bruker)) vis()',
      'c.rb': 'show if features.feature_on?(:new_ui)',
    }
    expect(await guesses(files)).toEqual([
      '--call useToggle: 2',
      '--call erFeatureToggletPaa: 1',
      '--call feature_on?: 1',
    ])
  })

  it('include components with the property that has the name', async () => {
    const files = {
      'a.tsx':
        '<Page>\n  <IfToggleOn\n    dark\n    toggleID={FeatureToggle.NewUi}>x</IfToggleOn>\n</Page>',
      'b.tsx': '<FeatureGate name="new-ui" />',
    }
    expect(await guesses(files)).toEqual([
      '--call FeatureGate:name: 1',
      '--call IfToggleOn:toggleID: 1',
    ])
  })

  it('include enums and objects with texts whose members are used', async () => {
    const files = {
      ...toggles,
      'a.ts': 'if (toggles[FeatureToggle.NewUi]) show()',
      'b.ts': "const uiFlags = { newUi: 'new-ui' }\nconst UiFlags = { newUi: 'new-ui' }",
      'c.ts': 'state[UiFlags.newUi] && state[UiFlags.newUi] && state[uiFlags.newUi]',
    }
    expect(await guesses(files)).toEqual([
      '--definitions UiFlags: 2',
      '--definitions FeatureToggle: 1',
    ])
  })

  it('do not include what is known', async () => {
    const files = {
      ...toggles,
      'a.ts': [
        "import { useFlag as useUnleashFlag } from '@unleash/proxy-client-react'",
        'const useFeatureFlag = (name) => useUnleashFlag(name)',
        "useFeatureFlag('a'); useFeatureFlag(FeatureToggle.NewUi); useUnleashFlag('new-ui')",
      ].join('\n'),
    }
    expect(await guesses(files)).toEqual([])
    const toggle = { ...toggles, 'a.ts': 'useToggle(FeatureToggle.NewUi)' }
    expect(await guesses(toggle, { calls: ['useToggle'] })).toEqual([])
    expect(await guesses(toggle, { definitions: ['FeatureToggle'] })).toEqual([])
  })

  it.each([
    ['a function that changes something', "toggleClass('dark-mode'); setFeature('dark-mode')"],
    ['a type', "new FeatureFlag('dark-mode'); Feature('dark-mode'); FLAG('dark-mode')"],
    ['a variable as argument', 'useToggle(name); useToggle(`a-${name}`)'],
    ['a component of a page', '<ToggleButton value="dark-mode" />'],
    ['a type without texts', 'enum FlagMode { On = 1 }\nmode === FlagMode.On'],
    ['a type that is declared elsewhere', 'mode === FeatureToggle.On'],
  ])('do not include %s', async (_, text) => {
    expect(await guesses({ 'a.tsx': text })).toEqual([])
  })

  it('are the three most frequent ones', async () => {
    const text = ['isToggleA', 'isToggleB', 'isToggleC', 'isToggleD']
      .map((name, index) => `${name}('dark-mode');`.repeat(index + 1))
      .join('\n')
    expect(await guesses({ 'a.ts': text })).toEqual([
      '--call isToggleD: 4',
      '--call isToggleC: 3',
      '--call isToggleB: 2',
    ])
  })

  it('are only made on request', async () => {
    expect(await guesses({ 'a.ts': "useToggle('new-ui')" }, { guesses: false })).toEqual([])
  })
})
