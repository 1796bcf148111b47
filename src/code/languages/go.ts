import {
  double,
  each,
  kinds,
  type Language,
  multiline,
  raw,
  single,
  slashComments,
  words,
} from './language.ts'

const SHORT = words('Boolean String Float Int Object')

export const go: Language = {
  family: 'go',
  name: 'Go',
  extensions: 'go',
  ...slashComments,
  quotes: [multiline(raw('`')), double, single],
  functionWords: ['func'],
  parameterName: 'first',
  hasReceivers: true,
  ownerWords: words('const var type struct interface'),
  hasTypesAfterNames: true,
  moduleOf: (file) => file.split('/').at(-2) ?? '',
  manifests: ['go.mod'],
  calls: {
    functions: words('IsEnabled IsFeatureEnabled GetVariant'),
    // OpenFeature.
    afterContext: [...each('*Value *ValueDetails', kinds), ...SHORT],
    commonWords: SHORT,
  },
}
