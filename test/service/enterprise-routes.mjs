import {
  Controller,
  CREATE_PROJECT,
  extractAuditInfoFromUser,
  UPDATE_PROJECT,
} from 'unleash-server'

// The request body of the specification and, beyond it, link templates; the open-source package has
// the code behind the route, but neither the route nor its schema.
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
    linkTemplates: {
      type: 'array',
      items: {
        type: 'object',
        required: ['urlTemplate'],
        properties: {
          title: { type: 'string', nullable: true },
          urlTemplate: { type: 'string' },
        },
      },
    },
  },
}

const project = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
}

/** The routes of the enterprise edition, built on Unleash's own service, checks and error handler. */
class EnterpriseController extends Controller {
  constructor(config, { projectService, openApiService }) {
    super(config)
    this.projectService = projectService
    const validPath = (operationId, schema) =>
      openApiService.validPath({
        operationId,
        tags: ['Projects'],
        summary: operationId,
        description: operationId,
        release: { stable: '5.0.0' },
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 200: { description: 'Done' } },
      })
    this.route({
      method: 'put',
      path: '/:projectId/settings',
      permission: UPDATE_PROJECT,
      handler: this.update,
      middleware: [validPath('updateProjectEnterpriseSettings', settings)],
    })
    this.route({
      method: 'post',
      path: '',
      permission: CREATE_PROJECT,
      handler: this.create,
      middleware: [validPath('createProject', project)],
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

  async create(request, response) {
    const { id, name } = request.body
    const { user, ip } = request
    await this.projectService.createProject(
      { id, name, mode: 'open', defaultStickiness: 'default' },
      user,
      extractAuditInfoFromUser(user, ip),
    )
    response.status(201).json({ id, name })
  }
}

/** Mounts the routes: the `preRouterHook` of Unleash. */
export function mountEnterprise(app, config, services) {
  app.use('/api/admin/projects', new EnterpriseController(config, services).router)
}
