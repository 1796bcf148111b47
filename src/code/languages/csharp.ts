import {
  double,
  each,
  kinds,
  type Language,
  multiline,
  prefixed,
  raw,
  single,
  slashComments,
  withHole,
  words,
} from './language.ts'

export const csharp: Language = {
  family: 'cs',
  name: 'C#',
  extensions: 'cs',
  ...slashComments,
  quotes: [
    multiline(raw('"""')),
    ...prefixed('$@ @$', withHole(multiline(raw('"')), '{')),
    ...prefixed('@', multiline(raw('"'))),
    ...prefixed('$', withHole(double, '{')),
    double,
    single,
  ],
  functionWords: [],
  hasMethods: true,
  arrows: 'methods',
  hasConstraintLines: true,
  parameterName: 'last',
  ownerWords: words('const readonly class enum struct interface record namespace var'),
  manifests: words('*.csproj Directory.Packages.props packages.config'),
  calls: {
    functions: words(
      'IsEnabled IsDisabled IsFeatureEnabled GetVariant GetVariants',
      // OpenFeature.
      ...each('Get*Value Get*ValueAsync Get*DetailsAsync Resolve*ValueAsync', kinds),
    ),
  },
}
