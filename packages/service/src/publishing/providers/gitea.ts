/** Gitea and Forgejo: one API. */
import { z } from 'zod'
import { type ApiCall, type ApiFailure, type ApiReply, callApi } from './call-api.ts'
import type { ProviderDeps } from './github.ts'
import type { CommitStatus, Provider, PullRequest } from './provider.ts'
import { type CommentCalls, editOrCreateComment } from './pull-comment.ts'
import { readPages } from './read-pages.ts'
import type { RepositoryAddress } from './repository-address.ts'

const DESCRIPTION_MAX = 255
/** The largest page that servers give by default. */
const PAGE = 50

const Pull = z.object({
  number: z.int(),
  html_url: z.string(),
  head: z.object({ sha: z.string(), ref: z.string(), repo_id: z.int() }),
  base: z.object({ ref: z.string(), repo_id: z.int() }),
})
const Comment = z.object({
  id: z.int(),
  body: z.string().nullish(),
  user: z.object({ id: z.int() }).nullish(),
})
const User = z.object({ id: z.int() })

export function createGitea(
  { origin, segments }: RepositoryAddress,
  token: string,
  deps: ProviderDeps,
): Provider {
  // The server may stand below a path of its host.
  const [owner = '', name = ''] = segments.slice(-2)
  const api = [origin, ...segments.slice(0, -2), 'api/v1'].join('/')
  const repository = `${api}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`

  async function call<Data>(
    wish: Pick<ApiCall, 'method' | 'url' | 'body' | 'signal'>,
    schema: z.ZodType<Data>,
  ): Promise<ApiReply<Data> | ApiFailure> {
    const headers = { authorization: `token ${token}` }
    const reply = await callApi({ ...wish, ...deps, headers, secret: token }, schema)
    return reply.kind === 'failed' ? explain(reply) : reply
  }

  const comments = (pullRequest: number, signal: AbortSignal): CommentCalls => {
    const ofPull = `${repository}/issues/${pullRequest}/comments`
    return {
      edit: (id, body) =>
        call(
          {
            method: 'PATCH',
            url: `${repository}/issues/comments/${id}`,
            body: { body },
            signal,
          },
          Comment,
        ),
      create: (body) => call({ method: 'POST', url: ofPull, body: { body }, signal }, Comment),
      list: async () => {
        const me = await call({ method: 'GET', url: `${api}/user`, signal }, User)
        if (me.kind === 'failed') return me
        // This list has no pages.
        const all = await call({ method: 'GET', url: ofPull, signal }, z.array(Comment))
        if (all.kind === 'failed') return all
        return all.data.map(({ id, body, user }) => ({
          id,
          body: body ?? '',
          isOwn: user?.id === me.data.id,
        }))
      },
    }
  }

  return {
    openPullRequests: async (signal) => {
      const url = `${repository}/pulls?state=open&limit=${PAGE}`
      const all = await readPages((page) =>
        call({ method: 'GET', url: `${url}&page=${page}`, signal }, z.array(Pull)),
      )
      return 'kind' in all ? all : all.map(pullRequestOf)
    },
    setStatus: async (status, signal) => {
      const reply = await call(
        {
          method: 'POST',
          url: `${repository}/statuses/${status.commit}`,
          body: statusOf(status),
          signal,
        },
        z.unknown(),
      )
      return reply.kind === 'failed' ? reply : 'done'
    },
    comment: (wish, signal) => editOrCreateComment(wish, comments(wish.pullRequest, signal)),
  }
}

function pullRequestOf({ number, html_url, head, base }: z.output<typeof Pull>): PullRequest {
  return {
    number,
    url: html_url,
    headCommit: head.sha,
    headBranch: head.ref,
    baseBranch: base.ref,
    isFork: head.repo_id !== base.repo_id,
  }
}

function statusOf({ state, name, description, url }: CommitStatus): object {
  return {
    // Only newer versions have `skipped`.
    state: state === 'skipped' ? 'success' : state,
    context: name,
    description: description.slice(0, DESCRIPTION_MAX),
    ...(url !== undefined && { target_url: url }),
  }
}

function explain(failure: ApiFailure): ApiFailure {
  const { status, retryAfterSeconds, message } = failure
  if (retryAfterSeconds !== undefined || (status !== 403 && status !== 404)) return failure
  const hint =
    'Check that the token may write to this repository and its issues, and that its user is a collaborator.'
  return { ...failure, message: `${message} ${hint}` }
}
