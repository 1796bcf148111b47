import {
  double,
  each,
  importsBy,
  kinds,
  type Language,
  multiline,
  plain,
  single,
  slashComments,
  words,
} from './language.ts'

const PACKAGE =
  /^[ \t]*import[ \t]+(?:static[ \t]+)?(?<module>[\p{L}\w]+(?:\.[\p{L}\w]+)*)\.[*_][ \t;]*$/gmu
const CLASS =
  /^[ \t]*import[ \t]+(?:static[ \t]+)?(?<module>[\p{L}\w]+(?:\.[\p{L}\w]+)*)\.(?<name>[\p{L}\w]+)(?:[ \t]+as[ \t]+(?<alias>[\p{L}\w]+))?[ \t;]*$/gmu

/** What the languages have in common that use classes of Java. */
export const jvm = {
  family: 'jvm',
  ...slashComments,
  parameterName: 'last',
  hasEqualsBody: true,
  hasExtensions: true,
  ownerWords: words('class enum object interface record val var'),
  hasEnumArguments: true,
  hasBareFields: true,
  imports: importsBy(PACKAGE, CLASS),
  namespace: /^[ \t]*package[ \t]+([\p{L}\w.]+)/mu,
  manifests: { 'pom.xml': undefined, 'build.gradle': undefined, 'build.gradle.kts': undefined },
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
  extensions: 'java',
  quotes: [multiline(plain('"""')), double, single],
  functionWords: [],
  hasMethods: true,
}
