/** A label and its value, which is safe to print and may have several lines. */
export type Field = readonly [label: string, value: string | undefined]

/**
 * Fields as lines of aligned labels and values. A field without a value is left out; its label still
 * takes part in the alignment, so that the columns are the same for all values.
 */
export function fieldLines(fields: readonly Field[], indent = ''): string[] {
  const width = Math.max(...fields.map(([label]) => label.length)) + 2
  return fields.flatMap(([label, value]) =>
    (value?.split('\n') ?? []).map(
      (line, index) => indent + (index === 0 ? label : '').padEnd(width) + line,
    ),
  )
}
