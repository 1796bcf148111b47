import {
  double,
  each,
  importsBy,
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

// `using Acme.Flags;`, `using static Acme.Flags.Names;`, `using F = Acme.Flags.Names;`
const USING =
  /^[ \t]*@?(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:(?<alias>\w+)[ \t]*=[ \t]*)?(?<module>\w+(?:\.\w+)*)[ \t]*;/gm

export const csharp: Language = {
  family: 'cs',
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
  seesOuterNamespaces: true,
  hasImplicitImports: true,
  imports: importsBy(USING),
  namespace: /^[ \t]*namespace[ \t]+([\w.]+)/m,
  manifests: { '*.csproj': undefined },
  calls: {
    functions: words(
      'IsEnabled IsDisabled IsFeatureEnabled GetVariant GetVariants',
      // OpenFeature.
      ...each('Get*Value Get*ValueAsync Get*DetailsAsync Resolve*ValueAsync', kinds),
    ),
  },
}
