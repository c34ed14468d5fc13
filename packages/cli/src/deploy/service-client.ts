/** The calls that `octavo deploy`, `deployments`, `builds`, `domain` and `gaps` make. What is temporary is tried again. */
import type { ReadableStream } from 'node:stream/web'
import type {
  Build,
  BuildList,
  CreatedDeployment,
  Deployment,
  DeploymentDiff,
  DeploymentList,
  Domain,
  DomainChange,
  DomainList,
  ExchangeReply,
  FinishReply,
  Gap,
  GapBody,
  GapForecast,
  GapList,
  MissingReply,
  PreviewList,
  Project,
  PublicationReply,
} from '@octavo/contract'
import { printable } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { DeployError } from './deploy-error.ts'

/**
 * Together half a minute of waiting: a database that fails over is back by then. Waits do not grow beyond some seconds, or a
 * service that is back for a moment would be missed.
 */
const TRIES_MAX = 10
const WAIT_MS = 1_000
const WAIT_MS_MAX = 4_000
const REQUEST_MS_MAX = 120_000
/** Longer than the service lets a response follow a build. */
const FOLLOW_MS_MAX = 6 * 60_000
const TEMPORARY = [429, 500, 502, 503, 504]

export type ServiceClient = ReturnType<typeof createServiceClient>

type Body = { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }

type Sent = {
  readonly method: string
  readonly path: string
  readonly body?: Body | undefined
  readonly more?: Readonly<Record<string, string>>
  readonly msMax?: number
}

export function createServiceClient(
  world: CommandContext,
  {
    service,
    project,
    apiKey,
  }: { readonly service: URL; readonly project: string; readonly apiKey: string | undefined },
) {
  const base = new URL(`v1/projects/${encodeURIComponent(project)}/`, service)

  async function call<Reply>(
    method: string,
    path: string,
    body?: Body,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const text = await (await send({ method, path, body, more })).text()
    return (text === '' ? undefined : JSON.parse(text)) as Reply
  }

  async function send(request: Sent): Promise<Response> {
    for (let tried = 1; ; tried += 1) {
      const result = await tryOnce(request)
      if ('response' in result) return result.response
      if (tried === TRIES_MAX || !result.isTemporary) throw result.error
      await world.clock.sleep(
        Math.max(result.waitMs ?? 0, Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** (tried - 1))),
      )
    }
  }

  async function tryOnce({
    method,
    path,
    body,
    more,
    msMax = REQUEST_MS_MAX,
  }: Sent): Promise<
    | { readonly response: Response }
    | { readonly error: DeployError; readonly isTemporary: boolean; readonly waitMs?: number }
  > {
    let response: Response
    try {
      response = await fetch(new URL(path, base), {
        method,
        headers: {
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...(body && { 'content-type': body.type }),
          ...more,
        },
        ...(body && { body: body.bytes }),
        // The key is for this address; where another one is meant, a person decides.
        redirect: 'manual',
        signal: AbortSignal.timeout(msMax),
      })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const reason =
        cause instanceof Error
          ? cause.message || String('code' in cause ? cause.code : cause.name)
          : String(cause)
      return {
        error: new DeployError(`Cannot reach ${service.href}: ${printable(reason)}.`),
        isTemporary: true,
      }
    }
    if (response.ok) return { response }
    const text = await response.text()
    const seconds = Number(response.headers.get('retry-after'))
    return {
      error: problemOf(response.status, text),
      isTemporary: TEMPORARY.includes(response.status),
      ...(seconds > 0 && seconds <= 60 && { waitMs: seconds * 1_000 }),
    }
  }

  const json = (value: object): Body => ({
    type: 'application/json',
    bytes: new Uint8Array(Buffer.from(JSON.stringify(value))),
  })

  return {
    /** A token of some minutes for the identity of a CI job. */
    exchange: (token: string) =>
      call<ExchangeReply>(
        'POST',
        new URL('v1/oidc/exchange', service).href,
        json({ projectId: project, token }),
      ),
    project: () => call<Project>('GET', base.pathname.replace(/\/$/, '')),
    create: (wish: object, key: string) =>
      call<CreatedDeployment>('POST', 'deployments', json(wish), {
        'idempotency-key': key,
      }),
    missing: (id: string) => call<MissingReply>('GET', `deployments/${id}/missing`),
    putOne: (sha256: string, bytes: Buffer) =>
      call<undefined>('PUT', `blobs/${sha256}`, {
        type: 'application/octet-stream',
        bytes: new Uint8Array(bytes),
      }),
    putMany: (blobs: readonly { readonly sha256: string; readonly bytes: Buffer }[]) =>
      call<{ refused: readonly { sha256: string; reason: string }[] }>('POST', 'blobs', {
        type: 'application/octet-stream',
        bytes: framesOf(blobs),
      }),
    finish: (id: string) => call<FinishReply>('POST', `deployments/${id}/finish`),
    deployment: (id: string) => call<Deployment>('GET', `deployments/${encodeURIComponent(id)}`),
    /** Newest first; `cursor` is `nextCursor` of the page before. */
    list: (limit: number, cursor?: string) =>
      call<DeploymentList>(
        'GET',
        `deployments?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      ),
    publish: (
      id: string,
      body: { readonly expectedLive: string | null; readonly acceptLooser: boolean },
    ) =>
      call<PublicationReply>('POST', `deployments/${encodeURIComponent(id)}/publish`, json(body)),
    diff: (id: string, base: string | undefined) =>
      call<DeploymentDiff>(
        'GET',
        `deployments/${encodeURIComponent(id)}/diff${base === undefined ? '' : `?base=${encodeURIComponent(base)}`}`,
      ),
    lock: (reason: string) => call<PublicationReply>('POST', 'lock', json({ reason })),
    unlock: () => call<PublicationReply>('POST', 'unlock'),
    previews: () => call<PreviewList>('GET', 'previews'),
    approvePreview: (name: string, deployment: string) =>
      call<undefined>('POST', `previews/${encodeURIComponent(name)}/approve`, json({ deployment })),
    deletePreview: (name: string) =>
      call<undefined>('DELETE', `previews/${encodeURIComponent(name)}`),
    builds: (limit: number, ref: string | undefined) =>
      call<BuildList>(
        'GET',
        `builds?limit=${limit}${ref === undefined ? '' : `&ref=${encodeURIComponent(ref)}`}`,
      ),
    build: (id: string) => call<Build>('GET', `builds/${encodeURIComponent(id)}`),
    buildDiagnostics: (id: string) =>
      call<{ diagnostics: readonly unknown[] }>(
        'GET',
        `builds/${encodeURIComponent(id)}/diagnostics`,
      ),
    /** Lines of JSON, from the one after `after` on. */
    buildLog: async (
      id: string,
      { after, follow }: { readonly after: number; readonly follow: boolean },
    ): Promise<ReadableStream<Uint8Array>> => {
      const path = `builds/${encodeURIComponent(id)}/log?after=${after}&follow=${follow}`
      const { body } = await send({ method: 'GET', path, msMax: FOLLOW_MS_MAX })
      if (body === null) throw new DeployError('The service sent no log.')
      return body as ReadableStream<Uint8Array>
    },
    changeBuild: (id: string, verb: 'cancel' | 'retry') =>
      call<Build>('POST', `builds/${encodeURIComponent(id)}/${verb}`),
    domains: () => call<DomainList>('GET', 'domains'),
    addDomain: (name: string) => call<Domain>('POST', 'domains', json({ name })),
    checkDomain: (name: string) =>
      call<Domain>('POST', `domains/${encodeURIComponent(name)}/check`),
    changeDomain: (name: string, change: DomainChange) =>
      call<Domain>('PUT', `domains/${encodeURIComponent(name)}`, json(change)),
    removeDomain: (name: string) =>
      call<undefined>('DELETE', `domains/${encodeURIComponent(name)}`),
    gaps: (limit: number, state: string | undefined) =>
      call<GapList>('GET', `gaps?limit=${limit}${state === undefined ? '' : `&state=${state}`}`),
    changeGap: (id: string, body: GapBody) =>
      call<Gap>('POST', `gaps/${encodeURIComponent(id)}`, json(body)),
    gapForecast: (deployment: string) =>
      call<GapForecast>('GET', `deployments/${encodeURIComponent(deployment)}/gaps`),
  }
}

/** Each file behind its SHA-256 (32 bytes) and its length (4 bytes). */
function framesOf(
  blobs: readonly { readonly sha256: string; readonly bytes: Buffer }[],
): Uint8Array<ArrayBuffer> {
  const parts = blobs.flatMap(({ sha256, bytes }) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [Buffer.from(sha256, 'hex'), length, bytes]
  })
  return new Uint8Array(Buffer.concat(parts))
}

type ProblemText = {
  readonly detail?: unknown
  readonly errors?: readonly { readonly path: string; readonly reason: string }[]
}

function problemOf(status: number, text: string): DeployError {
  try {
    const { detail, errors } = JSON.parse(text) as ProblemText
    if (typeof detail === 'string')
      return new DeployError(
        `The service refused (${status}): ${printable(detail)}`,
        errors,
        status,
      )
  } catch {
    // A proxy answered, not the service.
  }
  return new DeployError(`The service responded with status ${status}.`, [], status)
}
