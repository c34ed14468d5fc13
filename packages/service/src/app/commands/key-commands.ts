import { KEY_KINDS, KEY_SCOPES, type KeyKind, type KeyScope } from '@octavo/contract'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import { parseInstant } from '../../platform/http/instant.ts'
import { ROW_ID } from '../../platform/http/time-cursor.ts'
import { createApiKey, rotateApiKey } from '../../projects/api-keys/create-api-key.ts'
import { KeyStore, type ListedKey } from '../../projects/api-keys/store.ts'
import {
  type CommandTable,
  numberIn,
  ofProject,
  oneOf,
  type ProjectInput,
  required,
  UsageError,
} from './arguments.ts'

const DEFAULT_SCOPES: Readonly<Record<KeyKind, readonly KeyScope[]>> = {
  admin: ['analytics:read'],
  deploy: ['deploy:read', 'deploy:write'],
}
const OVERLAP_HOURS = { default: '168', min: 0, max: 30 * 24 }

export const KEY_COMMANDS: CommandTable = {
  /** Prints the key on the last line, for `tail -n 1`. The key cannot be printed again. */
  'key create': ofProject(async function* (input) {
    const { token } = await createApiKey(depsOf(input), readKeyOptions(input)).catch(
      (error: unknown) => {
        throw isNetworkError(error) ? new UsageError(NETWORK_EXPECTED) : error
      },
    )
    yield 'This key is shown only once. Keep it on servers, never in a browser:'
    yield token
  }),

  'key list': ofProject(async function* ({ project, now }) {
    const keys = await new KeyStore(project.database).list()
    if (keys.length === 0) yield 'This project has no keys.'
    for (const key of keys) yield printKey(key, now())
  }),

  /** Prints the new key on the last line. The key cannot be printed again. */
  'key rotate': ofProject(async function* (input) {
    const id = required(input.words[1], 'key id')
    const overlapHours = numberIn(
      OVERLAP_HOURS,
      input.options.overlap ?? OVERLAP_HOURS.default,
      `Invalid --overlap: expected a number of hours from 0 to ${OVERLAP_HOURS.max}.`,
    )
    if (!ROW_ID.test(id)) throw noSuchKey(id)
    const made = await rotateApiKey(depsOf(input), { id, overlapHours, nowMs: input.now() })
    if ('refusal' in made)
      throw made.refusal === 'unknown'
        ? noSuchKey(id)
        : new UsageError(`Key ${id} has expired or was revoked. Run \`key create\` instead.`)
    const hours = overlapHours === 1 ? 'hour' : 'hours'
    yield overlapHours === 0
      ? `Key ${id} stops working within a second.`
      : `Key ${id} stops working in ${overlapHours} ${hours}, if it does not expire earlier.`
    yield 'The new key is shown only once. Keep it on servers, never in a browser:'
    yield made.token
  }),

  'key revoke': ofProject(async function* ({ project, words }) {
    const id = required(words[1], 'key id')
    if (!ROW_ID.test(id)) throw noSuchKey(id)
    const event = { ...OPERATOR, action: 'key.revoke', object: `key ${id}` }
    const keys = new KeyStore(project.database)
    if (!(await keys.revoke(id, (query) => insertAudit(query, event)))) throw noSuchKey(id)
    yield `Revoked key ${id}. It stops working within a second.`
  }),
}

const depsOf = ({ project: { database }, settings: { pepper } }: ProjectInput) => ({
  database,
  pepper,
})

function readKeyOptions({ options, now }: ProjectInput) {
  const kind = oneOf(
    KEY_KINDS,
    options.kind ?? 'admin',
    `Invalid --kind: expected one of ${KEY_KINDS.join(', ')}.`,
  )
  const available = `Available: ${KEY_SCOPES.join(', ')}.`
  return {
    kind,
    name: options.name ?? '',
    scopes: (options.scope ?? DEFAULT_SCOPES[kind]).map((text) =>
      oneOf(KEY_SCOPES, text, `Unknown scope "${text}". ${available}`),
    ),
    allowedFrom: options.from ?? null,
    expiresAt: parseExpiry(options.expires, now()),
  }
}

function parseExpiry(text: string | undefined, nowMs: number): Date | null {
  if (text === undefined) return null
  const ms = parseInstant(text)
  if (ms === undefined)
    throw new UsageError('Invalid --expires: expected a date such as 2027-01-31.')
  if (ms <= nowMs) throw new UsageError('--expires is in the past.')
  return new Date(ms)
}

const NETWORK_EXPECTED =
  'Invalid --from: expected an IP address or a CIDR range such as 10.0.0.0/8, with only zeros after the mask.'

/**
 * Returns true for PostgreSQL's error about an invalid network: its `cidr` type defines what is
 * valid.
 */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22P02'
}

function printKey(key: ListedKey, nowMs: number): string {
  const used =
    key.last_used_at === null
      ? 'never used'
      : `last used ${key.last_used_at.toISOString().slice(0, 16)}`
  const columns = [key.id, `…${key.last_four}`, stateOf(key, nowMs), key.scopes.join(' '), used]
  return [...columns, key.name].join('  ').trimEnd()
}

function stateOf({ revoked_at, expires_at }: ListedKey, nowMs: number): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at.getTime() <= nowMs ? 'expired' : 'valid'
}

const noSuchKey = (keyId: string) =>
  new UsageError(`Key ${keyId} does not exist in this project. Run \`key list\` to see its keys.`)
