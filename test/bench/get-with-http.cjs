const { get } = require('node:http')

const { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: key } = process.env
const path = '/api/admin/client-metrics/features/some-flag'
get(`${url}${path}`, { headers: { Authorization: key } }, async (response) => {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  JSON.parse(text)
  process.stdout.write(`${text}\n`)
})
