// The minimum work of a name check: stream the file and test each line.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const rule = /^(?:feat|fix)-[a-z0-9-]+$/
let failing = 0
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (!rule.test(line)) failing++
}
console.log(failing)
