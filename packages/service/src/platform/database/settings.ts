import { z } from 'zod'
import type { ValuesOf } from '../settings-values.ts'

export type DatabaseSettings = {
  readonly databaseUrl: string
  readonly ownerUrl: string
  readonly directUrl: string | undefined
  readonly replicaUrl: string | undefined
}

const postgresUrl = (name: string) =>
  z.url({
    protocol: /^postgres(?:ql)?$/,
    error: `Invalid ${name}: expected the URL of a PostgreSQL database, such as postgres://user@host/octavo.`,
  })

export const DATABASE_VARIABLES = {
  /**
   * The URL of the database (PostgreSQL 15 or newer) with the service's role. Connections may go
   * through a pooler.
   */
  DATABASE_URL: postgresUrl('DATABASE_URL'),
  /**
   * The URL of the same database with the role that owns the tables, for `migrate` and other
   * commands.
   */
  DATABASE_OWNER_URL: postgresUrl('DATABASE_OWNER_URL').optional(),
  /**
   * The URL of the same database and role without a pooler. Hosts need it to be notified of new
   * deployments.
   */
  DATABASE_DIRECT_URL: postgresUrl('DATABASE_DIRECT_URL').optional(),
  /** The URL of a streaming replica, which is used for exports. */
  DATABASE_REPLICA_URL: postgresUrl('DATABASE_REPLICA_URL').optional(),
}

export const databaseSettingsOf = (
  values: ValuesOf<typeof DATABASE_VARIABLES>,
): DatabaseSettings => ({
  databaseUrl: values.DATABASE_URL,
  ownerUrl: values.DATABASE_OWNER_URL ?? values.DATABASE_URL,
  directUrl: values.DATABASE_DIRECT_URL,
  replicaUrl: values.DATABASE_REPLICA_URL,
})
