import {
  double,
  each,
  importsBy,
  kinds,
  type Language,
  multiline,
  plain,
  raw,
  slashComments,
  withHole,
  words,
} from './language.ts'

export const swift: Language = {
  family: 'swift',
  extensions: 'swift',
  ...slashComments,
  quotes: [withHole(multiline(plain('"""')), '\\('), raw('#"', '"#'), withHole(double, '\\(')],
  functionWords: ['func'],
  parameterName: 'first',
  hasLabels: true,
  callMethod: 'callAsFunction',
  ownerWords: words('let var class enum struct extension protocol actor'),
  hasModuleFolders: true,
  // Members of an object need no import.
  hasImplicitImports: true,
  imports: importsBy(/^[ \t]*(?:@\w+[ \t]+)?import[ \t]+(?:\w+[ \t]+)?(?<module>\w+)/gm),
  manifests: { 'Package.swift': undefined },
  calls: {
    functions: words(
      'isEnabled isFeatureEnabled getVariant',
      // OpenFeature.
      ...each('get*Value get*Details', kinds),
    ),
  },
}
