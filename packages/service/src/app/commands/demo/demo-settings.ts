/**
 * Generates the settings of a demo with new secrets. The caller's environment variables are
 * ignored.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readSettings, type Settings } from '../../settings/env.ts'

/** The demo is only reachable from this machine. */
const LOOPBACK = '127.0.0.1'

export type DemoPlace = {
  readonly folder: string
  readonly port: number
  /** The connection URL of the superuser. */
  readonly databaseUrl: string
  readonly secrets: DemoSecrets
}

/** The secrets of a demo. Demos with persistent data need the same ones at each start. */
export type DemoSecrets = {
  /** The password of PostgreSQL's superuser. */
  readonly superuser: string
  /** The password of the service's database role. */
  readonly service: string
  readonly pepper: string
  readonly secretKey: string
}

export function createDemoSecrets(): DemoSecrets {
  return {
    superuser: randomBytes(24).toString('hex'),
    service: randomBytes(24).toString('hex'),
    pepper: randomBytes(32).toString('base64'),
    secretKey: randomBytes(32).toString('base64'),
  }
}

export const DEMO_PORT = 4_880
export const DEMO_SLUG = 'wrenpost'
export const demoUrl = (port: number) => `http://octavo.localhost:${port}`
export const demoSiteUrl = (port: number) => `http://${DEMO_SLUG}.sites.localhost:${port}`

/** Returns the environment variables of the service. */
export function demoVariables({
  folder,
  port,
  databaseUrl,
  secrets,
}: DemoPlace): Readonly<Record<string, string>> {
  const role = { username: 'octavo_service', password: secrets.service }
  return {
    DATABASE_OWNER_URL: databaseUrl,
    DATABASE_URL: Object.assign(new URL(databaseUrl), role).href,
    OCTAVO_KEY_PEPPER: secrets.pepper,
    OCTAVO_SECRET_KEYS: `demo:${secrets.secretKey}`,
    OCTAVO_URL: demoUrl(port),
    OCTAVO_SITES_DOMAIN: 'sites.localhost',
    OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
    OCTAVO_BLOBS: join(folder, 'blobs'),
    OCTAVO_WORK_FOLDER: join(folder, 'work'),
    HOST: LOOPBACK,
    PORT: String(port),
    OCTAVO_ADMIN_HOST: LOOPBACK,
    // 0 means any free port.
    OCTAVO_ADMIN_PORT: '0',
    OCTAVO_REQUESTS_PER_HOUR: '1000000',
  }
}

export function readDemoSettings(
  variables: Readonly<Record<string, string | undefined>>,
): Settings {
  const read = readSettings(variables)
  if (read.kind === 'wrong') throw new Error(read.reasons.join(' '))
  return read.settings
}
