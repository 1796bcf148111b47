export interface Position {
  /** 1-based, as lines end in `\n`. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
}
