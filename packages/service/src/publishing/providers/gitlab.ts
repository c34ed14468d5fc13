/** GitLab, on gitlab.com or a host of one's own. */
import { z } from 'zod'
import { type ApiCall, type ApiFailure, type ApiReply, callApi } from './call-api.ts'
import type { ProviderDeps } from './github.ts'
import type { CommitStatus, Provider, PullRequest } from './provider.ts'
import { type CommentCalls, editOrCreateComment } from './pull-comment.ts'
import { readPages } from './read-pages.ts'
import type { RepositoryAddress } from './repository-address.ts'

const DESCRIPTION_MAX = 255

const MergeRequest = z.object({
  iid: z.int(),
  web_url: z.string(),
  sha: z.string().nullable(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullable(),
  target_project_id: z.int(),
})
const Note = z.object({
  id: z.int(),
  body: z.string().nullish(),
  author: z.object({ id: z.int() }).nullish(),
})
const User = z.object({ id: z.int() })

export function createGitLab(
  { origin, segments }: RepositoryAddress,
  token: string,
  deps: ProviderDeps,
): Provider {
  const api = `${origin}/api/v4`
  const project = `${api}/projects/${encodeURIComponent(segments.join('/'))}`

  async function call<Data>(
    wish: Pick<ApiCall, 'method' | 'url' | 'body' | 'signal'>,
    schema: z.ZodType<Data>,
  ): Promise<ApiReply<Data> | ApiFailure> {
    const headers = { authorization: `Bearer ${token}` }
    const reply = await callApi({ ...wish, ...deps, headers, secret: token }, schema)
    return reply.kind === 'failed' ? explain(reply) : reply
  }

  const comments = (pullRequest: number, signal: AbortSignal): CommentCalls => {
    const notes = `${project}/merge_requests/${pullRequest}/notes`
    return {
      edit: (id, body) =>
        call({ method: 'PUT', url: `${notes}/${id}`, body: { body }, signal }, Note),
      create: (body) => call({ method: 'POST', url: notes, body: { body }, signal }, Note),
      list: async () => {
        const me = await call({ method: 'GET', url: `${api}/user`, signal }, User)
        if (me.kind === 'failed') return me
        const all = await readPages((page) =>
          call({ method: 'GET', url: `${notes}?per_page=100&page=${page}`, signal }, z.array(Note)),
        )
        if ('kind' in all) return all
        return all.map(({ id, body, author }) => ({
          id,
          body: body ?? '',
          isOwn: author?.id === me.data.id,
        }))
      },
    }
  }

  return {
    openPullRequests: async (signal) => {
      const url = `${project}/merge_requests?state=opened&per_page=100`
      const all = await readPages((page) =>
        call({ method: 'GET', url: `${url}&page=${page}`, signal }, z.array(MergeRequest)),
      )
      return 'kind' in all ? all : all.flatMap(pullRequestOf)
    },
    setStatus: async (status, signal) => {
      const reply = await call(
        {
          method: 'POST',
          url: `${project}/statuses/${status.commit}`,
          body: statusOf(status),
          signal,
        },
        z.unknown(),
      )
      if (reply.kind === 'reply') return 'done'
      // GitLab refuses to set a status that is set already, or a step back.
      const isSet = reply.status === 400 && reply.message.includes('Cannot transition status')
      return isSet ? 'done' : reply
    },
    comment: (wish, signal) => editOrCreateComment(wish, comments(wish.pullRequest, signal)),
  }
}

/** One without commits, whose branch was deleted, has nothing to build. */
function pullRequestOf(merge: z.output<typeof MergeRequest>): readonly PullRequest[] {
  if (merge.sha === null) return []
  return [
    {
      number: merge.iid,
      url: merge.web_url,
      headCommit: merge.sha,
      headBranch: merge.source_branch,
      baseBranch: merge.target_branch,
      isFork: merge.source_project_id !== merge.target_project_id,
    },
  ]
}

/** `skipped` exists in newer versions only, and can keep a merge request from being merged. */
const STATES = {
  pending: 'pending',
  success: 'success',
  skipped: 'success',
  failure: 'failed',
  error: 'canceled',
} as const

function statusOf({ state, name, description, url }: CommitStatus): object {
  return {
    state: STATES[state],
    name,
    description: description.slice(0, DESCRIPTION_MAX),
    ...(url !== undefined && { target_url: url }),
  }
}

/** GitLab answers 404 also for what a token may not see. */
function explain(failure: ApiFailure): ApiFailure {
  const { status, retryAfterSeconds, message } = failure
  if (retryAfterSeconds !== undefined || (status !== 403 && status !== 404)) return failure
  const hint =
    'Check that the token has the scope api and at least the role Developer in this project.'
  return { ...failure, message: `${message} ${hint}` }
}
