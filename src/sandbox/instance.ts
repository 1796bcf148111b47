/** `GET /health` */
export const health = { health: 'GOOD' }

/** `GET /api/admin/ui-config` */
export const uiConfig = {
  version: '8.2.0',
  environment: 'Sandbox',
  versionInfo: { current: { oss: '8.2.0', enterprise: '' }, latest: {}, isLatest: true },
  flags: { extendedUsageMetrics: false },
  maintenanceMode: false,
}

const preferences = { feedback: [], splash: {} }

/** `GET /api/admin/user` for an admin token: like the real service's answer, it contains the token. */
export function adminUser(secret: string) {
  const access = { permissions: ['ADMIN'], environment: '*', projects: ['*'] }
  return {
    user: { username: 'sandbox-admin', type: 'admin', secret, ...access },
    permissions: [{ permission: 'ADMIN' }],
    ...preferences,
  }
}

/** `GET /api/admin/user` for a user who has no permissions. */
export const viewer = { user: { username: 'sandbox-viewer' }, permissions: [], ...preferences }
