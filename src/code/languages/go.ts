import {
  double,
  each,
  importsBy,
  kinds,
  type Language,
  multiline,
  raw,
  single,
  slashComments,
  words,
} from './language.ts'

// A line of an import, which may be in brackets with others: `f "x.org/flags"`.
const IMPORT =
  /^(?:import)?[ \t]*(?<alias>[\w.]+(?=[ \t]))?[ \t]*"(?<module>[\w.~-]+(?:\/[\w.~-]+)+)"[ \t]*(?:\/\/.*)?$/gm

const SHORT = words('Boolean String Float Int Object')

export const go: Language = {
  family: 'go',
  extensions: 'go',
  ...slashComments,
  quotes: [multiline(raw('`')), double, single],
  functionWords: ['func'],
  parameterName: 'first',
  hasReceivers: true,
  ownerWords: words('const var type struct interface'),
  hasTypesAfterNames: true,
  moduleOf: (file) => file.split('/').at(-2) ?? '',
  hasPathModules: true,
  imports: (text) =>
    importsBy(IMPORT)(text).map(({ module, alias }) => ({
      module,
      alias: alias ?? module.split('/').at(-1),
    })),
  manifests: { 'go.mod': /^module\s+(\S+)/m },
  calls: {
    functions: words('IsEnabled IsFeatureEnabled GetVariant'),
    // OpenFeature.
    afterContext: [...each('*Value *ValueDetails', kinds), ...SHORT],
    commonWords: SHORT,
  },
}
