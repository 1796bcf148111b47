// Draws docs/usage.svg: the output of commands in the sandbox, as a terminal shows it.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const commands = [
  ['feature', 'usage', 'dark-mode'],
  [
    'feature',
    'usage',
    'legacy-invoice-export',
    '--project',
    'default',
    '--expect',
    'unused',
    '--since',
    '24h',
  ],
]
const [WIDTH, LINE, MARGIN] = [7.8, 18, 16]
const colors = { 31: '#ff7b72', 32: '#7ee787', 33: '#d29922', 36: '#79c0ff' }

function outputOf(argv) {
  const args = ['bin/flagadm.js', ...argv, '-p', 'sandbox', '--color', 'always']
  return `$ flagadm ${argv.join(' ')}\n${execFileSync(process.execPath, args, { encoding: 'utf8' })}`
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The parts of a line with their colours, as spans. */
function spansOf(line) {
  let style = {}
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part) => {
      const [, code] = /^\u001b\[(\d+)m$/.exec(part) ?? []
      if (code === undefined) {
        const attributes = Object.entries(style).map(([name, value]) => ` ${name}="${value}"`)
        return part && `<tspan${attributes.join('')}>${escaped(part)}</tspan>`
      }
      if (code === '1') style = { ...style, 'font-weight': 'bold' }
      else if (code === '2') style = { ...style, opacity: '0.6' }
      else if (code in colors) style = { ...style, fill: colors[code] }
      else style = {}
      return ''
    })
    .join('')
}

const lines = commands.map(outputOf).join('\n').trimEnd().split('\n')
const longest = Math.max(...lines.map((line) => line.replace(/\u001b\[\d+m/g, '').length))
const [width, height] = [longest * WIDTH + 2 * MARGIN, lines.length * LINE + 2 * MARGIN]
const rows = lines.map(
  (line, index) =>
    `<text x="${MARGIN}" y="${MARGIN + LINE * (index + 0.75)}">${spansOf(line)}</text>`,
)
writeFileSync(
  'docs/usage.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>flagadm shows who uses a flag, and that another one can be removed</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g xml:space="preserve" fill="#e6edf3" font-size="13" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace">
${rows.join('\n')}
</g>
</svg>
`,
)
