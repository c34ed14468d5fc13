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
  /** PostgreSQL 15 or newer, as the role of the service; a pooler may stand in between. */
  DATABASE_URL: postgresUrl('DATABASE_URL'),
  /** The same database as the owner of the tables, for `migrate` and other commands. */
  DATABASE_OWNER_URL: postgresUrl('DATABASE_OWNER_URL').optional(),
  /** The same database and role without a pooler: a host hears of new deployments there. */
  DATABASE_DIRECT_URL: postgresUrl('DATABASE_DIRECT_URL').optional(),
  /** A streaming replica that exports are read from. */
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
