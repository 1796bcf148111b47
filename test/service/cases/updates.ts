/** The settings before each update. */
export const settingsBefore = {
  mode: 'protected',
  featureNaming: { pattern: 'reads-.+', example: 'reads-one', description: 'As it was' },
  linkTemplates: [
    { title: 'Issue', urlTemplate: 'https://tracker.test/{{feature}}' },
    { urlTemplate: 'no address' },
  ],
}

const { featureNaming: rule } = settingsBefore
const cleared = { pattern: '', example: '', description: '' }

/** Updates, and the fields that are different afterwards. */
export const updates: readonly [sent: object, changed: object][] = [
  [{}, { linkTemplates: [] }],
  [
    { featureNaming: { pattern: 'reads-[a-z]+' } },
    {
      featureNaming: { pattern: 'reads-[a-z]+', example: null, description: null },
      linkTemplates: [],
    },
  ],
  [
    { featureNaming: { pattern: '' } },
    { featureNaming: { ...rule, pattern: '' }, linkTemplates: [] },
  ],
  [{ featureNaming: cleared }, { featureNaming: cleared, linkTemplates: [] }],
  [{ linkTemplates: [] }, { linkTemplates: [] }],
  [
    {
      mode: 'private',
      featureNaming: rule,
      linkTemplates: [{ title: '"<é>\t\n', urlTemplate: 'https://a.test/?{{project}}' }],
    },
    {
      mode: 'private',
      linkTemplates: [{ title: '"<é>\t\n', urlTemplate: 'https://a.test/?{{project}}' }],
    },
  ],
]

/** Link templates that are refused. */
export const illegalTemplates: readonly unknown[] = [null, [{ title: 'a' }]]
