import {
  each,
  type Language,
  plain,
  single,
  snakeKinds,
  template,
  withHole,
  words,
} from './language.ts'

export const ruby: Language = {
  family: 'ruby',
  name: 'Ruby',
  extensions: 'rb rake ru jbuilder',
  lineComments: ['#'],
  blockComments: [{ open: '=begin', close: '\n=end', atLineStart: true }],
  quotes: [withHole(plain('"'), '#{'), single, template],
  hasRegexes: true,
  hasMarkedWords: true,
  hasSymbols: true,
  functionWords: ['def'],
  hasBareParameters: true,
  hasEqualsBody: true,
  indentedBody: 'line',
  parameterName: 'first',
  hasCommands: true,
  ownerWords: words('class module'),
  hasIndentedBlocks: true,
  hasArrowMaps: true,
  manifests: ['Gemfile', '*.gemspec'],
  calls: {
    functions: words(
      'enabled? is_enabled? disabled? is_disabled? if_enabled if_disabled get_variant',
      // OpenFeature.
      ...each('fetch_*_value fetch_*_details', snakeKinds),
    ),
  },
}
