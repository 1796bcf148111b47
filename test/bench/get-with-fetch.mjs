const { FLAGADM_BASE_URL: url, FLAGADM_API_KEY: key } = process.env
const path = '/api/admin/client-metrics/features/some-flag'
const response = await fetch(`${url}${path}`, { headers: { Authorization: key } })
const text = await response.text()
JSON.parse(text)
process.stdout.write(`${text}\n`)
