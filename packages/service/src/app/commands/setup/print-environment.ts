/**
 * `setup --print-env`: prints new secrets to standard output, for Compose and Kubernetes, without
 * writing a file or using a database.
 */
import { UsageError } from '../arguments.ts'
import { findSettingProblem } from './choose-settings.ts'
import { findDatabaseProblem } from './find-database-problem.ts'
import { newPassword, newSecrets, serviceUrlFor } from './secrets.ts'
import { printValue, type Values } from './settings-file.ts'

export type PrintOptions = {
  readonly url?: string | undefined
  readonly 'sites-domain'?: string | undefined
  readonly database?: string | undefined
  readonly blobs?: string | undefined
}

/** Placeholders for a bucket's keys, which the caller provides. */
const BUCKET_KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }

/** Returns lines with the given settings and all secrets. */
export function printEnvironment(options: PrintOptions): readonly string[] {
  const { url, 'sites-domain': sites, blobs, database } = options
  const given = withoutGaps({ OCTAVO_URL: url, OCTAVO_SITES_DOMAIN: sites, OCTAVO_BLOBS: blobs })
  const problem =
    findSettingProblem({ OCTAVO_BLOBS: 'blobs', ...BUCKET_KEYS, ...given }) ??
    (database === undefined ? undefined : findDatabaseProblem(database))
  if (problem !== undefined) throw new UsageError(problem)
  const values = { ...given, ...databaseValues(database), ...newSecrets() }
  return Object.entries(values).map(([name, value]) => printValue(name, value))
}

/** Without a database URL, Compose starts a database and only needs its password. */
function databaseValues(ownerUrl: string | undefined): Values {
  if (ownerUrl === undefined) return { OCTAVO_DATABASE_PASSWORD: newPassword() }
  const url = serviceUrlFor(ownerUrl)
  return { DATABASE_URL: url, DATABASE_DIRECT_URL: url }
}

function withoutGaps(values: Readonly<Record<string, string | undefined>>): Values {
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as Values
}
