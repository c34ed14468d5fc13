/**
 * Sends the requests of `octavo deploy`, `deployments`, `builds`, `domain` and `gaps`. Retries
 * temporary failures.
 */
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
  LiveChunks,
  MissingReply,
  PreviewList,
  Project,
  ProofBody,
  ProofReply,
  PublicationReply,
  ShownAnswersBody,
  ShownAnswersReply,
  SpecificationFiles,
} from '@octavo/contract'
import { printable } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { DeployError } from './deploy-error.ts'

/**
 * All attempts together take about half a minute, which is enough for a database failover. Each
 * wait is short, so that a service that is up only briefly is not missed.
 */
const ATTEMPTS_MAX = 10
const WAIT_MS = 1_000
const WAIT_MS_MAX = 4_000
const REQUEST_MS_MAX = 120_000
/**
 * The time limit of a log request, which is longer than the service's limit for following a build.
 */
const FOLLOW_MS_MAX = 6 * 60_000
const TEMPORARY = [429, 500, 502, 503, 504]

type Body = { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }

type Sent = {
  readonly method: string
  readonly path: string
  readonly body?: Body | undefined
  readonly more?: Readonly<Record<string, string>> | undefined
  readonly msMax?: number
  /** 1 for a request that the caller can do without. */
  readonly attemptsMax?: number
}

type RequestOutcome =
  | { readonly response: Response }
  | { readonly error: DeployError; readonly isTemporary: boolean; readonly waitMs?: number }

/** Names a file of the live deployment, or the run of its manifest that lists the path. */
type LivePlace = { readonly path: string; readonly kind: 'file' | 'run' }

type SentBlob = { readonly sha256: string; readonly bytes: Buffer }

type ServiceAccess = {
  readonly service: URL
  readonly project: string
  readonly apiKey: string | undefined
}

export class ServiceClient {
  readonly #world: CommandContext
  readonly #access: ServiceAccess
  readonly #base: URL

  constructor(world: CommandContext, access: ServiceAccess) {
    this.#world = world
    this.#access = access
    this.#base = new URL(`v1/projects/${encodeURIComponent(access.project)}/`, access.service)
  }

  /** Exchanges the identity token of a CI job for a token that is valid for a few minutes. */
  exchange(token: string) {
    const { service, project } = this.#access
    const { href } = new URL('v1/oidc/exchange', service)
    return this.#post<ExchangeReply>(href, { projectId: project, token })
  }

  project() {
    return this.#get<Project>(this.#base.pathname.replace(/\/$/, ''))
  }

  create(deployment: object, key: string) {
    return this.#post<CreatedDeployment>('deployments', deployment, { 'idempotency-key': key })
  }

  missing(id: string) {
    return this.#get<MissingReply>(`deployments/${id}/missing`)
  }

  putOne(sha256: string, bytes: Buffer) {
    const body = { type: 'application/octet-stream', bytes: new Uint8Array(bytes) }
    return this.#call<undefined>({ method: 'PUT', path: `blobs/${sha256}`, body })
  }

  putMany(blobs: readonly SentBlob[]) {
    const body = { type: 'application/octet-stream', bytes: framesOf(blobs) }
    return this.#call<{ refused: readonly { sha256: string; reason: string }[] }>({
      method: 'POST',
      path: 'blobs',
      body,
    })
  }

  /** Returns the chunks of a file of the live deployment. */
  liveChunks(place: LivePlace) {
    const path = `live-chunks?${new URLSearchParams(place)}`
    return this.#call<LiveChunks>({ method: 'GET', path, attemptsMax: 1 })
  }

  /** Stores a file that is made of parts of a live file and of new bytes, compressed with gzip. */
  putDelta(sha256: string, place: LivePlace, delta: Uint8Array) {
    const body = { type: 'application/gzip', bytes: new Uint8Array(delta) }
    const path = `blobs/${sha256}/delta?${new URLSearchParams(place)}`
    return this.#call<undefined>({ method: 'PUT', path, body })
  }

  sendProof(id: string, proof: ProofBody) {
    const path = `deployments/${id}/proof`
    return this.#call<ProofReply>({ method: 'PUT', path, body: json(proof) })
  }

  finish(id: string) {
    return this.#post<FinishReply>(`deployments/${id}/finish`)
  }

  deployment(id: string) {
    return this.#get<Deployment>(`deployments/${encodeURIComponent(id)}`)
  }

  /** Lists deployments, newest first; `cursor` is `nextCursor` of the previous page. */
  list(query: {
    readonly limit: number
    readonly cursor?: string | undefined
    readonly number?: string
  }) {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.set(name, String(value))
    return this.#get<DeploymentList>(`deployments?${search}`)
  }

  publish(
    id: string,
    body: { readonly expectedLive: string | null; readonly acceptLooser: boolean },
  ) {
    return this.#post<PublicationReply>(`deployments/${encodeURIComponent(id)}/publish`, body)
  }

  diff(id: string, base: string | undefined) {
    const query = base === undefined ? '' : `?base=${encodeURIComponent(base)}`
    return this.#get<DeploymentDiff>(`deployments/${encodeURIComponent(id)}/diff${query}`)
  }

  /** Returns the files of a deployment that may be specifications. */
  specifications(id: string) {
    return this.#get<SpecificationFiles>(`deployments/${encodeURIComponent(id)}/specifications`)
  }

  lock(reason: string) {
    return this.#post<PublicationReply>('lock', { reason })
  }

  unlock() {
    return this.#post<PublicationReply>('unlock')
  }

  previews() {
    return this.#get<PreviewList>('previews')
  }

  approvePreview(name: string, deployment: string) {
    return this.#post<undefined>(`previews/${encodeURIComponent(name)}/approve`, { deployment })
  }

  deletePreview(name: string) {
    return this.#delete(`previews/${encodeURIComponent(name)}`)
  }

  builds(limit: number, ref: string | undefined) {
    const query = ref === undefined ? '' : `&ref=${encodeURIComponent(ref)}`
    return this.#get<BuildList>(`builds?limit=${limit}${query}`)
  }

  build(id: string) {
    return this.#get<Build>(`builds/${encodeURIComponent(id)}`)
  }

  buildDiagnostics(id: string) {
    return this.#get<{ diagnostics: readonly unknown[] }>(
      `builds/${encodeURIComponent(id)}/diagnostics`,
    )
  }

  /** Returns the log as JSON lines, starting after line `after`. */
  async buildLog(
    id: string,
    { after, follow }: { readonly after: number; readonly follow: boolean },
  ): Promise<ReadableStream<Uint8Array>> {
    const path = `builds/${encodeURIComponent(id)}/log?after=${after}&follow=${follow}`
    const { body } = await this.#send({ method: 'GET', path, msMax: FOLLOW_MS_MAX })
    if (body === null) throw new DeployError('The response from the service contains no log.')
    return body as ReadableStream<Uint8Array>
  }

  changeBuild(id: string, verb: 'cancel' | 'retry') {
    return this.#post<Build>(`builds/${encodeURIComponent(id)}/${verb}`)
  }

  domains() {
    return this.#get<DomainList>('domains')
  }

  addDomain(name: string) {
    return this.#post<Domain>('domains', { name })
  }

  checkDomain(name: string) {
    return this.#post<Domain>(`domains/${encodeURIComponent(name)}/check`)
  }

  changeDomain(name: string, change: DomainChange) {
    const path = `domains/${encodeURIComponent(name)}`
    return this.#call<Domain>({ method: 'PUT', path, body: json(change) })
  }

  removeDomain(name: string) {
    return this.#delete(`domains/${encodeURIComponent(name)}`)
  }

  gaps(limit: number, state: string | undefined) {
    return this.#get<GapList>(
      `gaps?sort=-questions&limit=${limit}${state === undefined ? '' : `&state=${state}`}`,
    )
  }

  changeGap(id: string, body: GapBody) {
    return this.#post<Gap>(`gaps/${encodeURIComponent(id)}`, body)
  }

  gapForecast(deployment: string) {
    return this.#get<GapForecast>(`deployments/${encodeURIComponent(deployment)}/gaps`)
  }

  /** Asks a deployment questions, as readers without groups would. */
  shownAnswers(deployment: string, body: ShownAnswersBody) {
    const path = `deployments/${encodeURIComponent(deployment)}/shown-answers`
    return this.#post<ShownAnswersReply>(path, body)
  }

  #get<Reply>(path: string): Promise<Reply> {
    return this.#call<Reply>({ method: 'GET', path })
  }

  #post<Reply>(path: string, value?: object, more?: Sent['more']): Promise<Reply> {
    const body = value === undefined ? undefined : json(value)
    return this.#call<Reply>({ method: 'POST', path, body, more })
  }

  #delete(path: string): Promise<undefined> {
    return this.#call<undefined>({ method: 'DELETE', path })
  }

  async #call<Reply>(request: Sent): Promise<Reply> {
    const text = await (await this.#send(request)).text()
    return (text === '' ? undefined : JSON.parse(text)) as Reply
  }

  async #send(request: Sent): Promise<Response> {
    for (let tried = 1; ; tried += 1) {
      const result = await this.#tryOnce(request)
      if ('response' in result) return result.response
      if (tried === (request.attemptsMax ?? ATTEMPTS_MAX) || !result.isTemporary) throw result.error
      await this.#world.clock.sleep(
        Math.max(result.waitMs ?? 0, Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** (tried - 1))),
      )
    }
  }

  async #tryOnce(request: Sent): Promise<RequestOutcome> {
    let response: Response
    try {
      response = await this.#fetch(request)
    } catch (error) {
      const reason = printable(reasonOf(error))
      const unreachable = `Cannot reach ${this.#access.service.href}: ${reason}.`
      return { error: new DeployError(unreachable), isTemporary: true }
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

  #fetch({ method, path, body, more, msMax = REQUEST_MS_MAX }: Sent): Promise<Response> {
    const { apiKey } = this.#access
    return fetch(new URL(path, this.#base), {
      method,
      headers: {
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...(body && { 'content-type': body.type }),
        ...more,
      },
      ...(body && { body: body.bytes }),
      // The key is meant for this URL only, so redirects are not followed.
      redirect: 'manual',
      signal: AbortSignal.timeout(msMax),
    })
  }
}

/** Returns the cause of a `fetch` error, whose own message says little. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || String('code' in cause ? cause.code : cause.name)
}

function json(value: object): Body {
  return {
    type: 'application/json',
    bytes: new Uint8Array(Buffer.from(JSON.stringify(value))),
  }
}

/**
 * Returns the body of an upload. Each file is preceded by its SHA-256 (32 bytes) and its length (4
 * bytes).
 */
function framesOf(blobs: readonly SentBlob[]): Uint8Array<ArrayBuffer> {
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
        `The service refused the request (${status}): ${printable(detail)}`,
        errors,
        status,
      )
  } catch {
    // A response that is not JSON came from a proxy, not from the service.
  }
  return new DeployError(`The service responded with status ${status}.`, [], status)
}
