// The minimum work of a name check: stream the file, split it into lines and test each one.
import { createReadStream } from 'node:fs'

const rule = /^(?:feat|fix)-[a-z0-9-]+$/
const options = { encoding: 'utf8', highWaterMark: 1024 * 1024 }
let [failing, rest] = [0, '']
for await (const chunk of createReadStream(process.argv[2], options)) {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) if (!rule.test(line)) failing++
}
console.log(failing)
