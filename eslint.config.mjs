import { defineConfig, globalIgnores } from 'eslint/config'
import { configs } from 'typescript-eslint'

const unused = { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' }

const paths = [
  {
    name: 'node:path',
    importNames: ['join', 'resolve', 'relative', 'normalize', 'sep'],
    message: 'Import it from src/paths.ts, so paths have / on Windows.',
  },
]

export default defineConfig(
  globalIgnores(['dist', 'test/mutation/.stryker-tmp', 'test/mutation/reports']),
  configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', unused],
      // A variable that a closure reads before it is assigned cannot be a constant.
      'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
    },
  },
  { files: ['src/output/**'], rules: { 'no-restricted-imports': ['error', { paths }] } },
  {
    files: ['src/**'],
    ignores: ['src/output/**', 'src/paths.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths,
          patterns: [
            {
              regex: 'output/text\\.ts$',
              importNames: ['formatted'],
              message: 'Use the printer of the context, which makes text safe.',
            },
            { regex: 'output/escapes\\.ts$', message: 'Use the printer of the context.' },
          ],
        },
      ],
    },
  },
  // CommonJS, since every supported Node.js starts it faster than modules.
  { files: ['bin/*.js', '**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
)
