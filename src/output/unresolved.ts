/** How many calls could not be checked: `12 calls use an expression and were not checked`. */
export function unresolvedText(count: number): string {
  return count === 1
    ? '1 call uses an expression and was not checked'
    : `${count} calls use an expression and were not checked`
}
