import {
  double,
  each,
  kinds,
  type Language,
  multiline,
  plain,
  single,
  slashComments,
  words,
} from './language.ts'

// `import a.b.Flags as F`, in Kotlin
const IMPORT = /^[ \t]*import[ \t]+(.+)$/gm

/** What the languages have in common that use classes of Java. */
export const jvm = {
  family: 'jvm',
  ...slashComments,
  parameterName: 'last',
  hasEqualsBody: true,
  hasExtensions: true,
  ownerWords: words('class enum object interface record val var'),
  hasReferences: true,
  hasEnumArguments: true,
  hasBareFields: true,
  imports: [IMPORT],
  manifests: words('pom.xml build.gradle build.gradle.kts libs.versions.toml'),
  calls: {
    functions: words(
      'isEnabled isDisabled isFeatureEnabled isFeatureDisabled getVariant deprecatedGetVariant',
      'getFeatureToggleDefinition countVariant',
      // OpenFeature.
      ...each('get*Value get*Details get*ValueAsync get*Evaluation resolve*Value', kinds),
    ),
    onlyMethods: ['isDisabled'],
    // Spring and Quarkus.
    annotations: words('FeatureToggle Toggle FeatureFlag FeatureVariant'),
  },
} satisfies Partial<Language>

export const java: Language = {
  ...jvm,
  name: 'Java',
  extensions: 'java',
  quotes: [multiline(plain('"""')), double, single],
  functionWords: [],
  hasMethods: true,
}
