// What a check of names costs at the least: stream the file, test each line.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const rule = /^(?:feat|fix)-[a-z0-9-]+$/
let failing = 0
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (!rule.test(line)) failing++
}
console.log(failing)
