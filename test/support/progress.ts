import type { Progress } from '../../src/output/progress.ts'

/** Shows nothing. */
export const noProgress: Progress = {
  track: (_task, loop) => loop(() => {}),
  erase() {},
}
