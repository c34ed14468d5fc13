/** GitHub and GitHub Enterprise Server: check runs for the App, commit statuses for a token. */
import { z } from 'zod'
import { type ApiCall, type ApiFailure, type ApiReply, callApi } from './call-api.ts'
import { inlineCode } from './inline-code.ts'
import type { CommitStatus, Provider, ProviderFailure, PullRequest } from './provider.ts'
import { type CommentCalls, editOrCreateComment } from './pull-comment.ts'
import { readPages } from './read-pages.ts'
import type { RepositoryAddress } from './repository-address.ts'

/** GitHub refuses longer descriptions of a status. */
const DESCRIPTION_MAX = 140
const API_VERSION = '2022-11-28'

/** Gives the token of a call; the App gets one that is short-lived. */
export type GitHubAuth = {
  readonly kind: 'token' | 'app'
  readonly token: (signal: AbortSignal) => Promise<string | ProviderFailure>
  /** The server did not accept a token that was given. */
  readonly forget: () => void
  /** Whether a comment is of the App; nothing with a token, whose user has to be asked for. */
  readonly appId: string | undefined
}

export type ProviderDeps = {
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
}

const Pull = z.object({
  number: z.int(),
  html_url: z.string(),
  head: z.object({
    sha: z.string(),
    ref: z.string(),
    // Nothing when the fork was deleted.
    repo: z.object({ id: z.int() }).nullish(),
  }),
  base: z.object({ ref: z.string(), repo: z.object({ id: z.int() }) }),
})
const CheckRuns = z.object({ check_runs: z.array(z.object({ id: z.int() })) })
const Comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ id: z.int() }).nullish(),
  performed_via_github_app: z.object({ id: z.int() }).nullish(),
})
const User = z.object({ id: z.int() })
const Any = z.unknown()

export function createGitHub(
  { origin, segments }: RepositoryAddress,
  auth: GitHubAuth,
  deps: ProviderDeps,
): Provider {
  const api = gitHubApiUrl(origin)
  const [owner = '', name = ''] = segments
  const repository = `${api}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`

  async function call<Data>(
    wish: Pick<ApiCall, 'method' | 'url' | 'body' | 'signal'>,
    schema: z.ZodType<Data>,
  ): Promise<ApiReply<Data> | ApiFailure> {
    const token = await auth.token(wish.signal)
    if (typeof token !== 'string') return { ...token, status: undefined }
    const headers = { ...gitHubHeaders(token) }
    const reply = await callApi({ ...wish, ...deps, headers, secret: token }, schema)
    if (reply.kind === 'failed' && reply.status === 401) auth.forget()
    return reply.kind === 'failed' ? explain(reply, auth.kind) : reply
  }

  async function setCheckRun(status: CommitStatus, signal: AbortSignal) {
    const search = new URLSearchParams({ check_name: status.name, filter: 'latest' })
    const found = await call(
      { method: 'GET', url: `${repository}/commits/${status.commit}/check-runs?${search}`, signal },
      CheckRuns,
    )
    if (found.kind === 'failed') return found
    // The run of an earlier attempt is changed, so that a commit never has two.
    const [earlier] = found.data.check_runs
    const body = checkRunOf(status)
    return earlier === undefined
      ? call({ method: 'POST', url: `${repository}/check-runs`, body, signal }, Any)
      : call({ method: 'PATCH', url: `${repository}/check-runs/${earlier.id}`, body, signal }, Any)
  }

  const comments = (pullRequest: number, signal: AbortSignal): CommentCalls => ({
    edit: (id, markdown) =>
      call(
        {
          method: 'PATCH',
          url: `${repository}/issues/comments/${id}`,
          body: { body: markdown },
          signal,
        },
        Comment,
      ),
    create: (markdown) =>
      call(
        {
          method: 'POST',
          url: `${repository}/issues/${pullRequest}/comments`,
          body: { body: markdown },
          signal,
        },
        Comment,
      ),
    list: async () => {
      const me =
        auth.appId === undefined
          ? await call({ method: 'GET', url: `${api}/user`, signal }, User)
          : undefined
      if (me?.kind === 'failed') return me
      const url = `${repository}/issues/${pullRequest}/comments`
      const all = await readPages((page) =>
        call({ method: 'GET', url: `${url}?per_page=100&page=${page}`, signal }, z.array(Comment)),
      )
      if ('kind' in all) return all
      return all.map(({ id, body, user, performed_via_github_app: app }) => ({
        id,
        body: body ?? '',
        isOwn: me === undefined ? String(app?.id) === auth.appId : user?.id === me.data.id,
      }))
    },
  })

  return {
    openPullRequests: async (signal) => {
      const pulls = await readPages((page) =>
        call(
          {
            method: 'GET',
            url: `${repository}/pulls?state=open&per_page=100&page=${page}`,
            signal,
          },
          z.array(Pull),
        ),
      )
      return 'kind' in pulls ? pulls : pulls.map(pullRequestOf)
    },
    setStatus: async (status, signal) => {
      const reply =
        auth.kind === 'app'
          ? await setCheckRun(status, signal)
          : await call(
              {
                method: 'POST',
                url: `${repository}/statuses/${status.commit}`,
                body: statusOf(status),
                signal,
              },
              Any,
            )
      return reply.kind === 'failed' ? reply : 'done'
    },
    comment: (wish, signal) => editOrCreateComment(wish, comments(wish.pullRequest, signal)),
  }
}

/** GitHub itself has its API on a host of its own, GitHub Enterprise Server below a path. */
export function gitHubApiUrl(origin: string): string {
  const { protocol, hostname } = new URL(origin)
  const isPublic = hostname === 'github.com' || hostname === 'www.github.com'
  return isPublic ? `${protocol}//api.github.com` : `${origin}/api/v3`
}

export const gitHubHeaders = (token: string) => ({
  accept: 'application/vnd.github+json',
  'x-github-api-version': API_VERSION,
  authorization: `Bearer ${token}`,
})

function pullRequestOf({ number, html_url, head, base }: z.output<typeof Pull>): PullRequest {
  return {
    number,
    url: html_url,
    headCommit: head.sha,
    headBranch: head.ref,
    baseBranch: base.ref,
    isFork: head.repo?.id !== base.repo.id,
  }
}

function statusOf({ state, name, description, url }: CommitStatus): object {
  return {
    // A commit status has no neutral state.
    state: state === 'skipped' ? 'success' : state,
    context: name,
    description: description.slice(0, DESCRIPTION_MAX),
    ...(url !== undefined && { target_url: url }),
  }
}

const CONCLUSIONS = {
  success: 'success',
  failure: 'failure',
  skipped: 'neutral',
  error: 'cancelled',
} as const

function checkRunOf({ commit, name, state, description, url }: CommitStatus): object {
  return {
    name,
    head_sha: commit,
    ...(state === 'pending'
      ? { status: 'in_progress' }
      : { status: 'completed', conclusion: CONCLUSIONS[state] }),
    // The title is plain text, the summary is Markdown.
    output: { title: description.slice(0, DESCRIPTION_MAX), summary: inlineCode(description) },
    ...(url !== undefined && { details_url: url }),
  }
}

/** GitHub answers 404 also for what a token may not do. */
function explain(failure: ApiFailure, kind: GitHubAuth['kind']): ApiFailure {
  const { status, message, retryAfterSeconds } = failure
  if (retryAfterSeconds !== undefined || (status !== 403 && status !== 404)) return failure
  const hint =
    kind === 'app'
      ? 'Check that the app is installed on this repository, and accept its new permissions if it asks for some.'
      : 'Check that the token may read this repository, and write commit statuses and pull requests.'
  return { ...failure, message: `${message} ${hint}` }
}
