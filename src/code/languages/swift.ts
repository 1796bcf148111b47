import {
  double,
  each,
  kinds,
  type Language,
  leveled,
  multiline,
  plain,
  raw,
  slashComments,
  withHole,
  words,
} from './language.ts'

export const swift: Language = {
  family: 'swift',
  name: 'Swift',
  extensions: 'swift',
  ...slashComments,
  quotes: [
    withHole(multiline(plain('"""')), '\\('),
    leveled(raw('#"', '"#'), '#'),
    withHole(double, '\\('),
  ],
  functionWords: ['func'],
  parameterName: 'first',
  hasLabels: true,
  callMethod: 'callAsFunction',
  ownerWords: words('let var class enum struct extension protocol actor'),
  manifests: ['Package.swift', 'Podfile'],
  calls: {
    functions: words(
      'isEnabled isFeatureEnabled getVariant',
      // OpenFeature.
      ...each('get*Value get*Details', kinds),
    ),
  },
}
