import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseHostName } from '@octavo/outbound'
import { z } from 'zod'
import {
  ASSISTANT_VARIABLES,
  type OperatorAssistant,
  readAssistant,
} from '../../answers/assistant/settings.ts'
import { readVectors, VECTOR_VARIABLES } from '../../answers/vectors/settings.ts'
import type { VectorSettings } from '../../answers/vectors/text-embedder.ts'
import {
  readSignIn,
  SIGN_IN_VARIABLES,
  type SignInSettings,
} from '../../people/sign-in-settings.ts'
import type { BlobSettings } from '../../platform/blobs/open-blob-store.ts'
import { BLOB_VARIABLES, readBlobs } from '../../platform/blobs/settings.ts'
import {
  DATABASE_VARIABLES,
  type DatabaseSettings,
  databaseSettingsOf,
} from '../../platform/database/settings.ts'
import {
  SECRET_VARIABLES,
  type SecretSettings,
  secretSettingsOf,
} from '../../platform/secrets/settings.ts'
import { booleanValue, filled, listOf, port, wholeNumber } from '../../platform/settings-values.ts'
import {
  TRACE_VARIABLES,
  type TraceSettings,
  traceSettingsOf,
} from '../../platform/telemetry/trace-settings.ts'
import { ISSUER_VARIABLES } from '../../projects/ci-jobs/settings.ts'
import type { Issuer } from '../../projects/ci-jobs/verify-job-token.ts'
import {
  DNS_VARIABLES,
  DOMAIN_VARIABLES,
  type NameSettings,
  readNames,
} from '../../publishing/domains/settings.ts'
import type { GitHubAppSettings } from '../../publishing/providers/github-app.ts'
import { GITHUB_VARIABLES, readGitHubApp } from '../../publishing/providers/settings.ts'
import { findMisspelled, readValues } from './env-names.ts'

/** Requires a host, since an empty one would mean all addresses of the machine. */
const listenHost = (name: string) =>
  z.string().regex(/^[\w.:-]+$/, {
    error: `${name} must be the address to listen on, such as 127.0.0.1 or 0.0.0.0.`,
  })

/** Parses the environment. All other code gets typed values. */
const Environment = z.object({
  ...DATABASE_VARIABLES,
  ...SECRET_VARIABLES,
  ...BLOB_VARIABLES,
  ...DOMAIN_VARIABLES,
  /** The worker's folder for clones and compile caches; it can be emptied at any time. */
  OCTAVO_WORK_FOLDER: filled('OCTAVO_WORK_FOLDER', 'a folder, such as /var/cache/octavo').default(
    join(tmpdir(), 'octavo-work'),
  ),
  /** The size of the memory cache for files of hosted sites, in megabytes. */
  OCTAVO_HOST_CACHE_MB: wholeNumber('OCTAVO_HOST_CACHE_MB', {
    min: 16,
    max: 65_536,
    example: 256,
  }).default(256),
  HOST: listenHost('HOST').default('127.0.0.1'),
  PORT: port('PORT', 8_080).default(8_080),
  /** The address that serves health and metrics to operators. */
  OCTAVO_ADMIN_HOST: listenHost('OCTAVO_ADMIN_HOST').default('127.0.0.1'),
  OCTAVO_ADMIN_PORT: port('OCTAVO_ADMIN_PORT', 9_080).default(9_080),
  /** Networks of proxies that are trusted to report the client's address. */
  OCTAVO_TRUSTED_PROXIES: listOf(
    isNetwork,
    (wrong) =>
      `OCTAVO_TRUSTED_PROXIES: "${wrong}" is not a network or an IP address, such as 10.0.0.0/8 or 192.0.2.1.`,
    (part) => (part.includes('/') ? part : `${part}/${part.includes(':') ? 128 : 32}`),
  ),
  /** Rejects every change through the API, for upgrades and repairs; sites are still served. */
  OCTAVO_READ_ONLY: booleanValue('OCTAVO_READ_ONLY').default(false),
  /** Hosts on a private network that the service may connect to on behalf of tenants. */
  OCTAVO_ALLOW_PRIVATE_HOSTS: listOf(
    (host) => parseHostName(host) !== undefined,
    (wrong) =>
      `OCTAVO_ALLOW_PRIVATE_HOSTS: "${wrong}" is not a host, such as api.internal or 10.0.0.5.`,
  ),
  ...DNS_VARIABLES,
  ...ISSUER_VARIABLES,
  ...SIGN_IN_VARIABLES,
  ...GITHUB_VARIABLES,
  ...ASSISTANT_VARIABLES,
  ...VECTOR_VARIABLES,
  /** The maximum number of requests per hour for one project. */
  OCTAVO_REQUESTS_PER_HOUR: wholeNumber('OCTAVO_REQUESTS_PER_HOUR', {
    min: 1,
    example: 3_600,
  }).default(3_600),
  /** The maximum number of database connections. */
  OCTAVO_DATABASE_CONNECTIONS: wholeNumber('OCTAVO_DATABASE_CONNECTIONS', {
    min: 1,
    max: 100,
    example: 10,
  }).default(10),
  ...TRACE_VARIABLES,
})

function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(Environment.shape)

export type Settings = DatabaseSettings &
  SecretSettings &
  NameSettings & {
    readonly blobs: BlobSettings | undefined
    readonly workFolder: string
    readonly hostCacheBytes: number
    readonly host: string
    readonly port: number
    readonly adminHost: string
    readonly adminPort: number
    readonly trustedProxies: readonly string[]
    readonly isReadOnly: boolean
    readonly allowPrivateHosts: readonly string[]
    /** Addresses of DNS servers; empty to use those of the system. */
    readonly dnsServers: readonly string[]
    readonly oidcIssuers: readonly Issuer[]
    /** The URL of the GitHub server, which is also set if there is no GitHub App yet. */
    readonly gitHubUrl: string
    readonly gitHubApp: GitHubAppSettings | undefined
    readonly assistant: OperatorAssistant
    readonly vectors: VectorSettings
    readonly signIn: SignInSettings
    readonly requestsPerHour: number
    readonly databaseConnections: number
    /** Undefined if traces are off. */
    readonly traces: TraceSettings | undefined
  }

export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: Settings }
  | { readonly kind: 'wrong'; readonly reasons: readonly string[] }

/** Returns warnings about unknown variables that look like the service's. */
export const findUnknownVariables = (environment: Readonly<Record<string, string | undefined>>) =>
  findMisspelled(environment, ENVIRONMENT_NAMES)

/** Reads the settings; all errors are reported at once. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings {
  const { values, reasons } = readValues(environment, ENVIRONMENT_NAMES)
  const parsed = Environment.safeParse(values)
  if (!parsed.success || reasons.length > 0) {
    const issues = parsed.success ? [] : parsed.error.issues.map((issue) => describe(issue))
    return { kind: 'wrong', reasons: [...reasons, ...issues] }
  }
  const settings = joinSettings(parsed.data)
  return typeof settings === 'string'
    ? { kind: 'wrong', reasons: [settings] }
    : { kind: 'read', settings }
}

/** Combines the settings, or returns what is wrong with them. */
function joinSettings(data: z.infer<typeof Environment>): Settings | string {
  const names = readNames(data)
  if (typeof names === 'string') return names
  if (names.sitesDomain !== undefined && data.OCTAVO_BLOBS === undefined)
    return 'OCTAVO_SITES_DOMAIN needs OCTAVO_BLOBS, where the files of sites are stored.'
  const blobs = readBlobs(data)
  if (typeof blobs === 'string') return blobs
  const gitHubApp = readGitHubApp(data)
  if (typeof gitHubApp === 'string') return gitHubApp
  const assistant = readAssistant(data)
  if (typeof assistant === 'string') return assistant
  const vectors = readVectors(data)
  if (typeof vectors === 'string') return vectors
  const signIn = readSignIn(data)
  if (typeof signIn === 'string') return signIn
  return {
    ...databaseSettingsOf(data),
    ...secretSettingsOf(data),
    ...names,
    blobs,
    workFolder: data.OCTAVO_WORK_FOLDER,
    hostCacheBytes: data.OCTAVO_HOST_CACHE_MB * 1024 * 1024,
    host: data.HOST,
    port: data.PORT,
    adminHost: data.OCTAVO_ADMIN_HOST,
    adminPort: data.OCTAVO_ADMIN_PORT,
    trustedProxies: data.OCTAVO_TRUSTED_PROXIES,
    isReadOnly: data.OCTAVO_READ_ONLY,
    allowPrivateHosts: data.OCTAVO_ALLOW_PRIVATE_HOSTS,
    dnsServers: data.OCTAVO_DNS_SERVERS,
    oidcIssuers: data.OCTAVO_OIDC_ISSUERS,
    gitHubUrl: data.OCTAVO_GITHUB_URL,
    gitHubApp,
    assistant,
    vectors,
    signIn,
    requestsPerHour: data.OCTAVO_REQUESTS_PER_HOUR,
    databaseConnections: data.OCTAVO_DATABASE_CONNECTIONS,
    traces: traceSettingsOf(data),
  }
}

function describe(issue: {
  readonly path: readonly PropertyKey[]
  readonly message: string
}): string {
  const name = String(issue.path[0])
  return issue.message.includes(name) ? issue.message : `${name}: ${issue.message}`
}

/** Returns the environment for another program: the variables of this process, and `more`. */
export const environmentWith = (more: Readonly<Record<string, string>>) => ({
  ...process.env,
  ...more,
})
