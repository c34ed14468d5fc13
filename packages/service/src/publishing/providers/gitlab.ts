/** The API of GitLab, on gitlab.com or a self-hosted server. */
import { z } from 'zod'
import type { GitHost } from './git-host.ts'
import type { PullRequest } from './provider.ts'

const MergeRequest = z
  .object({
    iid: z.int(),
    web_url: z.string(),
    sha: z.string().nullable(),
    source_branch: z.string(),
    target_branch: z.string(),
    source_project_id: z.int().nullable(),
    target_project_id: z.int(),
  })
  .transform((merge): PullRequest | undefined =>
    // A merge request has no commit if it is empty and its branch was deleted. It cannot be built.
    merge.sha === null
      ? undefined
      : {
          number: merge.iid,
          url: merge.web_url,
          headCommit: merge.sha,
          headBranch: merge.source_branch,
          baseBranch: merge.target_branch,
          isFork: merge.source_project_id !== merge.target_project_id,
        },
  )
const Note = z
  .object({
    id: z.int(),
    body: z.string().nullish(),
    author: z.object({ id: z.int() }).nullish(),
  })
  .transform(({ id, body, author }) => ({ id, body: body ?? '', userId: author?.id }))

export const GITLAB: GitHost = {
  apiUrl: ({ origin }) => `${origin}/api/v4`,
  repositoryPath: (segments) => `projects/${encodeURIComponent(segments.join('/'))}`,
  headers: (token) => ({ authorization: `Bearer ${token}` }),
  pullRequests: { path: 'merge_requests?state=opened&per_page=100', schema: MergeRequest },
  comments: {
    path: (pullRequest) => `merge_requests/${pullRequest}/notes`,
    editPath: (pullRequest, id) => `merge_requests/${pullRequest}/notes/${id}`,
    editMethod: 'PUT',
    pageQuery: 'per_page=100',
    schema: Note,
  },
  status: {
    nameField: 'name',
    // The state `skipped` is not used: only newer versions support it, and it can block a merge
    // request.
    states: {
      pending: 'pending',
      success: 'success',
      failure: 'failed',
      skipped: 'success',
      error: 'canceled',
    },
    descriptionMax: 255,
    // GitLab rejects a status that the commit already has, and a change to an earlier state.
    isSet: ({ status, message }) => status === 400 && message.includes('Cannot transition status'),
  },
  refusalHint:
    'Check that the token has the scope api and at least the role Developer in this project.',
}
