import {
  each,
  type Import,
  type Language,
  multiline,
  plain,
  prefixed,
  snakeKinds,
  withHole,
  words,
} from './language.ts'

// `from a.flags import NEW_UI as FLAG, OLD`, also over several lines in brackets; `import a.flags as f`
const FROM = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n(]*))/gm
const IMPORT = /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?/gm

function importsIn(text: string): Import[] {
  const imports: Import[] = []
  for (const [, module = '', inBrackets, inLine = ''] of text.matchAll(FROM)) {
    const names = (inBrackets ?? inLine).matchAll(/(\w+)(?:[ \t]+as[ \t]+(\w+))?/g)
    for (const [, name = '', alias = name] of names) imports.push({ module, name, alias })
  }
  for (const [, module = '', alias = module.split('.').at(-1) ?? ''] of text.matchAll(IMPORT)) {
    imports.push({ module, alias })
  }
  return imports
}

export const python: Language = {
  family: 'python',
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
  propertyMarks: ['property', 'cached_property'],
  moduleOf: (file) => {
    const [base = '', folder = ''] = file.split('/').reverse()
    return base === '__init__.py' ? folder : base.replace(/\.\w+$/, '')
  },
  imports: importsIn,
  manifests: { 'pyproject.toml': undefined, 'setup.py': undefined, 'setup.cfg': undefined },
  calls: {
    functions: words(
      'is_enabled is_feature_enabled get_variant',
      ...each('get_*_value get_*_value_async get_*_details get_*_details_async', snakeKinds),
      ...each('resolve_*_value resolve_*_value_async', snakeKinds),
      ...each('resolve_*_details resolve_*_details_async', snakeKinds),
    ),
  },
}
