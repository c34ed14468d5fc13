import { KEY_KINDS, KEY_SCOPES, type KeyKind, type KeyScope } from '@octavo/contract'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import { parseInstant } from '../../platform/http/instant.ts'
import { ROW_ID } from '../../platform/http/time-cursor.ts'
import { createApiKey, rotateApiKey } from '../../projects/api-keys/create-api-key.ts'
import { KeyStore, type ListedKey } from '../../projects/api-keys/store.ts'
import { type CommandInput, findProject, required, UsageError } from './arguments.ts'

/** `key create`: the key is the last line, for `tail -n 1`, and shown this once. */
export async function createKey(input: CommandInput): Promise<void> {
  const { options, settings, print, now } = input
  const { database } = await findProject(input)
  const kind = parseKind(options.kind ?? 'admin')
  const wish = {
    kind,
    name: options.name ?? '',
    scopes: (options.scope ?? DEFAULT_SCOPES[kind]).map(parseScope),
    allowedFrom: options.from ?? null,
    expiresAt: parseExpiry(options.expires, now()),
  }
  const deps = { database, pepper: settings.pepper }
  const { token } = await createApiKey(deps, wish).catch((error: unknown) => {
    throw isNetworkError(error) ? new UsageError(NETWORK_EXPECTED) : error
  })
  print('This key is shown only once. Keep it on servers, never in a browser:')
  print(token)
}

const DEFAULT_SCOPES: Readonly<Record<KeyKind, readonly KeyScope[]>> = {
  admin: ['analytics:read'],
  deploy: ['deploy:read', 'deploy:write'],
}

function parseKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((known) => known === text)
  if (kind !== undefined) return kind
  throw new UsageError(`Invalid --kind: expected one of ${KEY_KINDS.join(', ')}.`)
}

function parseScope(text: string): KeyScope {
  const scope = KEY_SCOPES.find((known) => known === text)
  if (scope !== undefined) return scope
  throw new UsageError(`Unknown scope "${text}". Available: ${KEY_SCOPES.join(', ')}.`)
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

/** Only PostgreSQL knows all that its type `cidr` takes. */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '22P02'
}

export async function listKeys(input: CommandInput): Promise<void> {
  const { database } = await findProject(input)
  const keys = await new KeyStore(database).list()
  if (keys.length === 0) input.print('This project has no keys.')
  for (const key of keys) input.print(printKey(key, input.now()))
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

const OVERLAP_HOURS = { default: 168, max: 30 * 24 }

/** `key rotate`: the new key is the last line, and shown this once. */
export async function rotateKey(input: CommandInput): Promise<void> {
  const { options, settings, print, now } = input
  const { database } = await findProject(input)
  const id = required(input.words[1], 'key id')
  const overlapHours = parseOverlap(options.overlap)
  const made = ROW_ID.test(id)
    ? await rotateApiKey({ database, pepper: settings.pepper }, { id, overlapHours, nowMs: now() })
    : ({ refusal: 'unknown' } as const)
  if ('refusal' in made)
    throw made.refusal === 'unknown'
      ? noSuchKey(id)
      : new UsageError(`Key ${id} has expired or was revoked. Run \`key create\` instead.`)
  const hours = overlapHours === 1 ? 'hour' : 'hours'
  print(
    overlapHours === 0
      ? `Key ${id} stops working within a second.`
      : `Key ${id} stops working in ${overlapHours} ${hours}, if it does not expire before.`,
  )
  print('The new key is shown only once. Keep it on servers, never in a browser:')
  print(made.token)
}

function parseOverlap(text: string | undefined): number {
  if (text === undefined) return OVERLAP_HOURS.default
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (hours <= OVERLAP_HOURS.max) return hours
  throw new UsageError(
    `Invalid --overlap: expected a number of hours from 0 to ${OVERLAP_HOURS.max}.`,
  )
}

export async function revokeKey(input: CommandInput): Promise<void> {
  const { database } = await findProject(input)
  const keyId = required(input.words[1], 'key id')
  const event = { ...OPERATOR, action: 'key.revoke', object: `key ${keyId}` }
  const isRevoked =
    ROW_ID.test(keyId) &&
    (await new KeyStore(database).revoke(keyId, (query) => insertAudit(query, event)))
  if (!isRevoked) throw noSuchKey(keyId)
  input.print(`Revoked key ${keyId}. It stops working within a second.`)
}

const noSuchKey = (keyId: string) =>
  new UsageError(`Key ${keyId} does not exist in this project. Run \`key list\` to see its keys.`)
