import { Controller, extractAuditInfoFromUser, UPDATE_PROJECT } from 'unleash-server'

// The request body of the specification; the open-source package has the code behind the route, but
// neither the route nor its schema.
const settings = {
  type: 'object',
  properties: {
    mode: { type: 'string', enum: ['open', 'protected', 'private'] },
    featureNaming: {
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        example: { type: 'string' },
        description: { type: 'string' },
      },
    },
  },
}

/** `PUT /api/admin/projects/:projectId/settings` on Unleash's own service, checks and error handler. */
class SettingsController extends Controller {
  constructor(config, { projectService, openApiService }) {
    super(config)
    this.projectService = projectService
    this.route({
      method: 'put',
      path: '/:projectId/settings',
      permission: UPDATE_PROJECT,
      handler: this.update,
      middleware: [
        openApiService.validPath({
          operationId: 'updateProjectEnterpriseSettings',
          tags: ['Projects'],
          summary: 'Update project enterprise settings',
          description: 'Update mode and feature naming of a project',
          release: { stable: '5.0.0' },
          requestBody: { required: true, content: { 'application/json': { schema: settings } } },
          responses: { 200: { description: 'Updated' } },
        }),
      ],
    })
  }

  async update(request, response) {
    const { projectId } = request.params
    const audit = extractAuditInfoFromUser(request.user, request.ip)
    await this.projectService.updateProjectEnterpriseSettings(
      { ...request.body, id: projectId },
      audit,
    )
    response.status(200).end()
  }
}

/** Mounts the route: the `preRouterHook` of Unleash. */
export function mountSettings(app, config, services) {
  app.use('/api/admin/projects', new SettingsController(config, services).router)
}
