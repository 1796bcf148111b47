/** A command line and what it prints, with colours. */
export interface Transcript {
  line: string
  output: string
}

const [WIDTH, LINE, MARGIN] = [7.8, 18, 16]
const colors: Record<string, string> = {
  31: '#ff7b72',
  32: '#7ee787',
  '38;5;130': '#d29922',
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The parts of a line with their colours, as spans. */
function spansOf(line: string): string {
  let style: Record<string, string> = {}
  return line
    .split(/(\u001b\[[\d;]+m)/)
    .map((part) => {
      const [, code] = /^\u001b\[([\d;]+)m$/.exec(part) ?? []
      if (code === undefined) {
        const attributes = Object.entries(style).map(([name, value]) => ` ${name}="${value}"`)
        return part && `<tspan${attributes.join('')}>${escaped(part)}</tspan>`
      }
      const fill = colors[code]
      if (code === '1') style = { ...style, 'font-weight': 'bold' }
      else if (code === '2') style = { ...style, opacity: '0.6' }
      else style = fill === undefined ? {} : { ...style, fill }
      return ''
    })
    .join('')
}

/** The lines of a text that is broken at spaces. */
function wrapped(text: string, columns: number): string[] {
  return text.match(new RegExp(`\\S.{0,${columns - 1}}(?= |$)`, 'g')) ?? []
}

/** An SVG image of a terminal of this width that shows commands and what they print. */
export function pictureOf(
  transcripts: readonly Transcript[],
  title: string,
  columns: number,
): string {
  const texts = transcripts.map(({ line, output }) => `$ ${line}\n${output}`)
  // A terminal breaks longer lines; those of tables fit.
  const lines = texts
    .join('\n')
    .trimEnd()
    .split('\n')
    .flatMap((line) =>
      line.length > columns && !line.includes('\u001b') ? wrapped(line, columns) : [line],
    )
  const [width, height] = [
    Math.ceil(columns * WIDTH) + 2 * MARGIN,
    lines.length * LINE + 2 * MARGIN,
  ]
  const rows = lines.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${MARGIN + LINE * (index + 0.75)}">${spansOf(line)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<style>text { white-space: pre }</style>
<g xml:space="preserve" fill="#e6edf3" font-size="13" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace">
${rows.join('\n')}
</g>
</svg>
`
}
