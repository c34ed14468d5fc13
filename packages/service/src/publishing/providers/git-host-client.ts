/**
 * A client for the API of a repository at its Git host. A table per host describes how the hosts
 * differ.
 */
import { z } from 'zod'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import { type ApiCall, type ApiFailure, type ApiReply, callApi } from './call-api.ts'
import type { GitHost, HostComment } from './git-host.ts'
import type { CommentInput, Provider, ProviderFailure, PullRequest } from './provider.ts'
import type { RepositoryAddress } from './repository-address.ts'

/** Provides the tokens for API calls. Those of the GitHub App are only valid for a short time. */
export type GitHostAuth = {
  readonly token: (signal: AbortSignal) => Promise<string | ProviderFailure>
  /** Removes a cached token after the server rejected it. */
  readonly forget: () => void
  /**
   * The id of the GitHub App, which marks its comments. Undefined with a token, because the token's
   * user then writes the comments.
   */
  readonly appId: string | undefined
}

export type ProviderDeps = {
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
}

/** The maximum number of pages per list. Pull requests on later pages are ignored. */
const PAGES_MAX = 20

const CheckRuns = z.object({ check_runs: z.array(z.object({ id: z.int() })) })
const User = z.object({ id: z.int() })
const Any = z.unknown()

export class GitHostClient implements Provider {
  readonly #host: GitHost
  readonly #auth: GitHostAuth
  readonly #deps: ProviderDeps
  readonly #api: string
  readonly #repository: string

  constructor(
    host: GitHost,
    { address, auth }: { readonly address: RepositoryAddress; readonly auth: GitHostAuth },
    { allowPrivateHosts, now }: ProviderDeps,
  ) {
    this.#host = host
    this.#auth = auth
    this.#deps = { allowPrivateHosts, now }
    this.#api = host.apiUrl(address)
    this.#repository = `${this.#api}/${host.repositoryPath(address.segments)}`
  }

  async openPullRequests(signal: AbortSignal): Promise<readonly PullRequest[] | ProviderFailure> {
    const { path, schema } = this.#host.pullRequests
    const pulls = await this.#readPages(`${this.#repository}/${path}`, schema, signal)
    return 'kind' in pulls ? pulls : pulls.filter((pull) => pull !== undefined)
  }

  async setStatus(status: CommitStatus, signal: AbortSignal): Promise<'done' | ProviderFailure> {
    const { checkRunOf, status: words } = this.#host
    const reply =
      checkRunOf === undefined
        ? await this.#setCommitStatus(status, signal)
        : await this.#setCheckRun(status, { body: checkRunOf(status), signal })
    return reply.kind === 'reply' || words.isSet?.(reply) === true ? 'done' : reply
  }

  /**
   * Edits the comment with the given id. Without an id, first looks for an earlier comment by
   * Octavo, since a worker may have stopped before it stored the id. If the comment was deleted,
   * creates a new one.
   */
  async comment(
    { pullRequest, commentId, marker, markdown }: CommentInput,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'comment'; readonly id: string } | ProviderFailure> {
    const { path, editPath, editMethod, schema } = this.#host.comments
    const url = `${this.#repository}/${path(pullRequest)}`
    const body = { body: markdown }
    let id = commentId
    if (id === undefined) {
      const own = await this.#listOwnComments(url, signal)
      if ('kind' in own) return own
      id = own.find((comment) => comment.body.includes(marker))?.id.toString()
    }
    if (id !== undefined) {
      const editUrl = `${this.#repository}/${editPath(pullRequest, id)}`
      const edited = await this.#call({ method: editMethod, url: editUrl, body, signal }, schema)
      const isGone = edited.kind === 'failed' && (edited.status === 404 || edited.status === 410)
      if (!isGone) return commentOf(edited)
    }
    return commentOf(await this.#call({ method: 'POST', url, body, signal }, schema))
  }

  #setCommitStatus({ commit, state, name, description, url }: CommitStatus, signal: AbortSignal) {
    const { states, nameField, descriptionMax } = this.#host.status
    const body = {
      state: states[state],
      [nameField]: name,
      description: description.slice(0, descriptionMax),
      ...(url !== undefined && { target_url: url }),
    }
    const statusUrl = `${this.#repository}/statuses/${commit}`
    return this.#call({ method: 'POST', url: statusUrl, body, signal }, Any)
  }

  async #setCheckRun(
    { commit, name }: CommitStatus,
    { body, signal }: { readonly body: object; readonly signal: AbortSignal },
  ) {
    const search = new URLSearchParams({ check_name: name, filter: 'latest' })
    const runsOfCommit = `${this.#repository}/commits/${commit}/check-runs?${search}`
    const found = await this.#call({ method: 'GET', url: runsOfCommit, signal }, CheckRuns)
    if (found.kind === 'failed') return found
    // Update the check run of an earlier attempt, so that a commit never has two of them.
    const [earlier] = found.data.check_runs
    const url = `${this.#repository}/check-runs`
    return earlier === undefined
      ? this.#call({ method: 'POST', url, body, signal }, Any)
      : this.#call({ method: 'PATCH', url: `${url}/${earlier.id}`, body, signal }, Any)
  }

  /**
   * Returns comments that were written by our own account. Other comments may also contain our
   * marker, since anyone can write it.
   */
  async #listOwnComments(
    url: string,
    signal: AbortSignal,
  ): Promise<readonly HostComment[] | ApiFailure> {
    const { appId } = this.#auth
    const me =
      appId === undefined
        ? await this.#call({ method: 'GET', url: `${this.#api}/user`, signal }, User)
        : undefined
    if (me?.kind === 'failed') return me
    const { pageQuery, schema } = this.#host.comments
    const all =
      pageQuery === undefined
        ? await this.#readList(url, schema, signal)
        : await this.#readPages(`${url}?${pageQuery}`, schema, signal)
    if ('kind' in all) return all
    return all.filter((comment) =>
      me === undefined ? String(comment.appId) === appId : comment.userId === me.data.id,
    )
  }

  async #readList<Item>(url: string, schema: z.ZodType<Item>, signal: AbortSignal) {
    const reply = await this.#call({ method: 'GET', url, signal }, z.array(schema))
    return reply.kind === 'failed' ? reply : reply.data
  }

  /** Reads all pages of a list, up to `PAGES_MAX`. */
  async #readPages<Item>(
    url: string,
    schema: z.ZodType<Item>,
    signal: AbortSignal,
  ): Promise<readonly Item[] | ApiFailure> {
    const items: Item[] = []
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const call = { method: 'GET', url: `${url}&page=${page}`, signal } as const
      const reply = await this.#call(call, z.array(schema))
      if (reply.kind === 'failed') return reply
      items.push(...reply.data)
      if (!reply.hasNext) break
    }
    return items
  }

  async #call<Data>(
    request: Pick<ApiCall, 'method' | 'url' | 'body' | 'signal'>,
    schema: z.ZodType<Data>,
  ): Promise<ApiReply<Data> | ApiFailure> {
    const token = await this.#auth.token(request.signal)
    if (typeof token !== 'string') return { ...token, status: undefined }
    const headers = this.#host.headers(token)
    const reply = await callApi({ ...request, ...this.#deps, headers, secret: token }, schema)
    if (reply.kind === 'reply') return reply
    const { status, message, retryAfterSeconds } = reply
    if (status === 401) this.#auth.forget()
    // Git hosts also respond with 404 if the token lacks a permission.
    const isRefused = retryAfterSeconds === undefined && (status === 403 || status === 404)
    return isRefused ? { ...reply, message: `${message} ${this.#host.refusalHint}` } : reply
  }
}

const commentOf = (reply: ApiReply<HostComment> | ApiFailure) =>
  reply.kind === 'failed' ? reply : ({ kind: 'comment', id: String(reply.data.id) } as const)
