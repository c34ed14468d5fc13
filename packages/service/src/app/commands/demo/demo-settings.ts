/** Settings of a demo: made here, with new secrets, and never read from the environment. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readSettings, type Settings } from '../../settings/env.ts'

/** Only this machine can reach it. */
const LOOPBACK = '127.0.0.1'

export type DemoPlace = {
  /** The folder of the demo. */
  readonly folder: string
  readonly port: number
  /** Connects as the superuser. */
  readonly databaseUrl: string
}

export const demoUrl = (port: number) => `http://octavo.localhost:${port}`

export function createDemoSettings({ folder, port, databaseUrl }: DemoPlace): Settings {
  const role = { username: 'octavo_service', password: randomBytes(24).toString('hex') }
  const read = readSettings({
    DATABASE_OWNER_URL: databaseUrl,
    DATABASE_URL: Object.assign(new URL(databaseUrl), role).href,
    OCTAVO_KEY_PEPPER: randomBytes(32).toString('base64'),
    OCTAVO_SECRET_KEYS: `demo:${randomBytes(32).toString('base64')}`,
    OCTAVO_URL: demoUrl(port),
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
    OCTAVO_BLOBS: join(folder, 'blobs'),
    OCTAVO_WORK_FOLDER: join(folder, 'work'),
    HOST: LOOPBACK,
    PORT: String(port),
    OCTAVO_ADMIN_HOST: LOOPBACK,
    // Any free one.
    OCTAVO_ADMIN_PORT: '0',
    OCTAVO_REQUESTS_PER_HOUR: '1000000',
  })
  if (read.kind === 'wrong') throw new Error(read.reasons.join(' '))
  return read.settings
}
