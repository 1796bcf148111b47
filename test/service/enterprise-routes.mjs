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

/** Who makes a request, for its event. */
function auditOf({ user, ip }) {
  return { id: user.internalAdminTokenUserId ?? user.id, username: user.username, ip }
}

/** The routes of the enterprise edition, built on Unleash's own service, checks and error handler. */
function createRouter({ Controller, permissions }, config, { projectService, openApiService }) {
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

  const update = async (request, response) => {
    const { projectId } = request.params
    await projectService.updateProjectEnterpriseSettings(
      { ...request.body, id: projectId },
      auditOf(request),
    )
    response.status(200).end()
  }

  const create = async (request, response) => {
    const { id, name } = request.body
    await projectService.createProject(
      { id, name, mode: 'open', defaultStickiness: 'default' },
      request.user,
      auditOf(request),
    )
    response.status(201).json({ id, name })
  }

  const controller = new Controller(config)
  controller.route({
    method: 'post',
    path: '',
    permission: permissions.CREATE_PROJECT,
    handler: create,
    middleware: [validPath('createProject', project)],
  })
  // Before 5.6, projects have no settings.
  if (projectService.updateProjectEnterpriseSettings) {
    controller.route({
      method: 'put',
      path: '/:projectId/settings',
      permission: permissions.UPDATE_PROJECT,
      handler: update,
      middleware: [validPath('updateProjectEnterpriseSettings', settings)],
    })
  }
  return controller.router
}

/**
 * Mounts the routes: the `preRouterHook` of Unleash.
 * @param unleash the package
 * @param openProject a project whose settings are those of the open-source edition, which cannot be changed
 */
export function mountEnterprise(unleash, app, config, services, openProject) {
  const router = createRouter(unleash, config, services)
  app.use('/api/admin/projects', (request, response, next) => {
    if (request.path === `/${openProject}/settings`) next()
    else router(request, response, next)
  })
}
