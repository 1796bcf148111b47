import fc from 'fast-check'
import { hostileText } from './hostile.ts'

const literals = ['null', 'true', 'false', '0', '-0', '1', '-1', '1.5', '1E+400', '-1e-400']
const integers = ['9007199254740993', '-99999999999999999999999', '1e21', '12345678901234567890.5']

const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n')
const string = hostileText.map((text) => JSON.stringify(text))
const key = fc.oneof(string, fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '""'))
const number = fc.oneof(fc.maxSafeInteger().map(String), fc.constantFrom(...literals, ...integers))

const nesting = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(['[', ']'], ['{"a":', '}']))
  .map(([depth, [open, close]]) => `${open?.repeat(depth)}1${close?.repeat(depth)}`)

function arrayOf(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(item, { maxLength: 4 }), blank)
    .map(([items, space]) => `[${space}${items.join(`${space},`)}]`)
}

function objectOf(member: fc.Arbitrary<[string, string]>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(member, { maxLength: 4 }), blank)
    .map(([members, space]) => textOf(members, space))
}

function textOf(members: readonly (readonly [string, string])[], space: string): string {
  return `{${members.map(([name, value]) => `${space}${name}:${space}${value}`).join(',')}}`
}

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: fc.oneof(string, number) },
    { weight: 1, arbitrary: arrayOf(tie('value')) },
    { weight: 1, arbitrary: objectOf(fc.tuple(key, tie('value'))) },
  ),
}))

/** Text of any JSON document, generated as text to include what JavaScript values cannot represent. */
export const jsonText = fc.oneof(
  { weight: 8, arbitrary: value },
  { weight: 4, arbitrary: fc.json() },
  { weight: 1, arbitrary: nesting },
)

/** Mostly a valid value, sometimes any JSON. */
export function almost(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 20, arbitrary: valid }, { weight: 1, arbitrary: jsonText })
}

const absent = fc.constant(undefined)

/**
 * Text of an object that has most of these fields, and sometimes an unknown one.
 * @param there how often each field is present, in percent
 */
export function almostObject(
  fields: Readonly<Record<string, fc.Arbitrary<string>>>,
  there = 92,
): fc.Arbitrary<string> {
  const members = Object.entries(fields).map(([name, valid]) => {
    const present = { weight: there, arbitrary: almost(valid) }
    return fc
      .oneof(present, { weight: 100 - there, arbitrary: absent })
      .map((text) => ({ name, text }))
  })
  const stray = fc.oneof(
    { weight: 9, arbitrary: absent },
    { weight: 1, arbitrary: fc.tuple(key, jsonText) },
  )
  return fc.tuple(fc.tuple(...members), stray, blank).map(([own, other, space]) => {
    const known = own.flatMap(({ name, text }): [string, string][] =>
      text === undefined ? [] : [[JSON.stringify(name), text]],
    )
    return textOf(other ? [...known, other] : known, space)
  })
}

export const anyString: fc.Arbitrary<string> = string
export const almostArray = (item: fc.Arbitrary<string>) => arrayOf(almost(item))
export const almostMap = (item: fc.Arbitrary<string>) => objectOf(fc.tuple(key, almost(item)))
