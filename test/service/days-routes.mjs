// Routes for tests of daily usage, which Unleash has behind a setting: `extendedUsageMetrics`.

/** Mounts the routes: a `preRouterHook` of Unleash. */
export function mountDays(app, config, { clientMetricsServiceV2 }) {
  const { flags } = config.experimental
  app.put('/api/admin/tests/days', (request, response) => {
    flags.extendedUsageMetrics = request.body.enabled
    response.status(200).end()
  })
  // Unleash itself does this every hour.
  app.post('/api/admin/tests/days', async (_request, response) => {
    await clientMetricsServiceV2.aggregateDailyMetrics()
    response.status(200).end()
  })
}
