import { z } from 'zod'

/** The only reader of the environment. Everything else gets typed values. */
const Environment = z.object({
  /** PostgreSQL 15 or newer. */
  DATABASE_URL: z.url({
    protocol: /^postgres(?:ql)?$/,
    error:
      'DATABASE_URL is the address of a PostgreSQL database, such as postgres://user@host/octavo.',
  }),
  /** Secret that API keys are hashed with. Without it a copy of the database is of no use. */
  OCTAVO_KEY_PEPPER: z
    .string({ error: 'OCTAVO_KEY_PEPPER is missing. Make one with: openssl rand -base64 32' })
    .min(32, {
      error:
        'OCTAVO_KEY_PEPPER needs at least 32 characters. Make one with: openssl rand -base64 32',
    }),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
  /** Requests of one project an hour. */
  OCTAVO_REQUESTS_PER_HOUR: z.coerce.number().int().min(1).default(3_600),
  /** Connections to the database. */
  OCTAVO_DATABASE_CONNECTIONS: z.coerce.number().int().min(1).max(100).default(10),
})

export type Settings = {
  readonly databaseUrl: string
  readonly pepper: string
  readonly host: string
  readonly port: number
  readonly requestsPerHour: number
  readonly databaseConnections: number
}

export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: Settings }
  | { readonly kind: 'wrong'; readonly reasons: readonly string[] }

/** Reads the settings; all that is wrong is told at once. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    return { kind: 'wrong', reasons: parsed.error.issues.map((issue) => describe(issue)) }
  }
  const { data } = parsed
  return {
    kind: 'read',
    settings: {
      databaseUrl: data.DATABASE_URL,
      pepper: data.OCTAVO_KEY_PEPPER,
      host: data.HOST,
      port: data.PORT,
      requestsPerHour: data.OCTAVO_REQUESTS_PER_HOUR,
      databaseConnections: data.OCTAVO_DATABASE_CONNECTIONS,
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
