import type { Side } from './program.ts'
import type { Anchor } from './syntax.ts'

/** Whether an anchor holds between these sides. */
export function holds(anchor: Anchor, before: Side, after: Side): boolean {
  if (anchor === 'start') return before === 'edge'
  if (anchor === 'end') return after === 'edge'
  return ((before === 'word') !== (after === 'word')) === (anchor === 'word')
}
