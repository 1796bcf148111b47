import {
  each,
  type Language,
  multiline,
  plain,
  prefixed,
  snakeKinds,
  withHole,
  words,
} from './language.ts'

// `from a.flags import NEW_UI as FLAG, OLD`, also over several lines in brackets
const FROM = /^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(\([^)]*\)|[^\n(]*)/gm

export const python: Language = {
  family: 'python',
  name: 'Python',
  extensions: 'py pyi pyw',
  lineComments: ['#'],
  quotes: ['"""', "'''", '"', "'"].flatMap((mark) => {
    const quote = mark.length > 1 ? multiline(plain(mark)) : plain(mark)
    return [
      ...prefixed('rb br r R', { ...quote, escapes: false }),
      ...prefixed('fr rf f F', withHole(quote, '{')),
      ...prefixed('u b', quote),
      quote,
    ]
  }),
  functionWords: ['def'],
  indentedBody: ':',
  parameterName: 'first',
  ownerWords: ['class'],
  hasIndentedBlocks: true,
  moduleOf: (file) => {
    const [base = '', folder = ''] = file.split('/').reverse()
    return base === '__init__.py' ? folder : base.replace(/\.\w+$/, '')
  },
  imports: [FROM],
  manifests: words('pyproject.toml setup.py setup.cfg Pipfile requirements*.txt'),
  calls: {
    functions: words(
      'is_enabled is_feature_enabled get_variant',
      ...each('get_*_value get_*_value_async get_*_details get_*_details_async', snakeKinds),
      ...each('resolve_*_value resolve_*_value_async', snakeKinds),
      ...each('resolve_*_details resolve_*_details_async', snakeKinds),
    ),
  },
}
