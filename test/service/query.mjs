// Runs SQL on the database of the service, and prints the rows as JSON; the command line is one JSON document.
import pg from 'pg'

const { database, text, values } = JSON.parse(process.argv[2])
const client = new pg.Client(database)
await client.connect()
const { rows } = await client.query(text, values)
console.log(JSON.stringify(rows))
await client.end()
