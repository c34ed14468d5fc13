import type { Database } from '../../platform/database/database.ts'
import type { HookCaller, HookDelivery } from '../../platform/http/caller.ts'
import { PROBLEMS, Problem } from '../../platform/problem.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { HOOK_SECRET } from '../providers/connection.ts'
import { ConnectionStore, findHook } from './store.ts'
import { EVENT_HEADERS, verifyHook } from './verify-hook.ts'

/** The size of GitHub's largest payload. */
export const HOOK_BYTES_MAX = 25 * 1024 * 1024
/** How much of a body is stored: more if the delivery was rejected, for debugging. */
const KEPT_ACCEPTED = 1_000
const KEPT_REFUSED = 10_000
const HEADER_LENGTH_MAX = 200
const HOOK_ID = /^[\w-]{20,64}$/

/** Headers that are stored for the owner. They contain no tokens or signatures. */
const KEPT_HEADERS = [
  ...['content-type', 'content-length', 'user-agent', 'webhook-id', 'webhook-timestamp'],
  ...['x-github-event', 'x-github-delivery', 'x-github-hook-id'],
  ...['x-gitlab-event', 'x-gitlab-event-uuid', 'x-gitlab-instance', 'idempotency-key'],
  ...['x-gitea-event', 'x-gitea-delivery', 'x-forgejo-event', 'x-forgejo-delivery'],
  ...['x-event-key', 'x-request-uuid', 'x-request-id'],
]
/** Headers with secret values. Only the fact that they were sent is stored. */
const PROOF_HEADERS = [
  ...['x-hub-signature-256', 'x-hub-signature', 'x-gitlab-token', 'webhook-signature'],
  ...['x-gitea-signature', 'x-forgejo-signature', 'authorization'],
]

export type HookDeps = {
  readonly database: Database
  readonly secretKeys: readonly SecretKey[]
  readonly now: () => number
}

/**
 * Creates a function that authenticates deliveries. It stores an invalid delivery for the owner and
 * throws a problem.
 */
export function createHookAuthenticator({ database, secretKeys, now }: HookDeps) {
  return async (request: Request, hookId: string): Promise<HookCaller> => {
    const found = HOOK_ID.test(hookId) ? await findHook(database, hookId) : undefined
    if (found === undefined) throw unknownHook()
    const { tenant, isArchived } = found
    const bound = database.forProject(tenant)
    const store = new ConnectionStore(bound)
    const provider = (await store.find())?.provider
    const secret = await createSecretStore(bound, createKeyRing(secretKeys)).read(HOOK_SECRET)
    // The connection was removed after the webhook had been found.
    if (provider === undefined || secret === undefined) throw unknownHook()

    const { headers } = request
    const body = await readBytes(request)
    const arrived = { deliveryId: null, event: null, ref: null, headers: storedHeaders(headers) }
    const refuse = async (problem: Problem): Promise<never> => {
      const event = firstOf(headers, EVENT_HEADERS[provider])
      const delivery = { ...arrived, event, body: storedBodyText(body, KEPT_REFUSED) }
      await store.addRejectedDelivery(delivery, PROBLEMS[problem.code].status, problem.message)
      throw problem
    }

    if (!isJsonType(headers.get('content-type')))
      return refuse(
        new Problem(
          'invalid-request',
          'The webhook must be sent as application/json. Change its content type in the settings of the repository.',
          { param: 'Content-Type' },
        ),
      )
    const proof = verifyHook(provider, secret, { headers, body, nowMs: now() })
    if (proof.kind === 'refused') return refuse(new Problem('invalid-signature', proof.reason))
    const payload = parseJson(body)
    if (payload === undefined)
      return refuse(
        new Problem('invalid-request', 'The body is not valid JSON.', { param: 'body' }),
      )
    return {
      tenant,
      isArchived,
      provider,
      delivery: toStoredDelivery(headers, body, proof),
      payload,
    }
  }
}

/** Returns the parts of an accepted delivery that are stored. */
export function toStoredDelivery(
  headers: Headers,
  body: Uint8Array,
  { deliveryId, event }: Pick<HookDelivery, 'deliveryId' | 'event'>,
): HookDelivery {
  const kept = { headers: storedHeaders(headers), body: storedBodyText(body, KEPT_ACCEPTED) }
  return { deliveryId, event, ref: null, ...kept }
}

/**
 * Returns a problem that is identical for all unknown addresses, so that it does not reveal which
 * addresses exist.
 */
export const unknownHook = () => new Problem('not-found', 'This webhook address does not exist.')

export async function readBytes(request: Request): Promise<Uint8Array> {
  const bytes = await request.arrayBuffer().catch((cause: unknown) => {
    throw new Problem('invalid-request', 'The request body is incomplete.', {
      param: 'body',
      cause,
    })
  })
  return new Uint8Array(bytes)
}

function isJsonType(type: string | null): boolean {
  return /^application\/json(?:\s*;\s*charset=utf-8)?$/i.test((type ?? '').trim())
}

/** Returns undefined if the body is not a JSON object or array. */
export function parseJson(body: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function storedHeaders(headers: Headers): Readonly<Record<string, string>> {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, printable(value).slice(0, HEADER_LENGTH_MAX)]]
  })
  const proofs = PROOF_HEADERS.filter((name) => headers.has(name)).map((name) => [name, '(sent)'])
  return Object.fromEntries([...kept, ...proofs])
}

const firstOf = (headers: Headers, names: readonly string[]) =>
  names
    .map((name) => headers.get(name))
    .find((value) => value !== null)
    ?.slice(0, 100) ?? null

/** Returns the start of a body, as text that PostgreSQL can store and a terminal can show. */
function storedBodyText(body: Uint8Array, lengthMax: number): string {
  return printable(new TextDecoder().decode(body.subarray(0, lengthMax))).slice(0, lengthMax)
}

const printable = (text: string) => text.replaceAll(/(?![\n\t])\p{C}/gu, '\ufffd')
