import { formatted, type Safe } from './text.ts'

/** A label of an OpenMetrics sample: `flag="a"`. */
export function metricLabel(name: string, value: Safe): Safe {
  return formatted(`${name}="${value.replace(/[\\"]/g, '\\$&')}"`)
}
