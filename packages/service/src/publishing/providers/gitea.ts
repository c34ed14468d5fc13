/** The API of Gitea, which Forgejo shares. */
import { z } from 'zod'
import type { GitHost } from './git-host.ts'
import { GITHUB } from './github.ts'
import type { PullRequest } from './provider.ts'

const Pull = z
  .object({
    number: z.int(),
    html_url: z.string(),
    head: z.object({ sha: z.string(), ref: z.string(), repo_id: z.int() }),
    base: z.object({ ref: z.string(), repo_id: z.int() }),
  })
  .transform(
    ({ number, html_url, head, base }): PullRequest => ({
      number,
      url: html_url,
      headCommit: head.sha,
      headBranch: head.ref,
      baseBranch: base.ref,
      isFork: head.repo_id !== base.repo_id,
    }),
  )
const Comment = z
  .object({
    id: z.int(),
    body: z.string().nullish(),
    user: z.object({ id: z.int() }).nullish(),
  })
  .transform(({ id, body, user }) => ({ id, body: body ?? '', userId: user?.id }))

export const GITEA: GitHost = {
  // The last two segments are the repository. Any segments before them are the path at which the
  // server runs.
  apiUrl: ({ origin, segments }) => [origin, ...segments.slice(0, -2), 'api/v1'].join('/'),
  repositoryPath: (segments) => GITHUB.repositoryPath(segments.slice(-2)),
  headers: (token) => ({ authorization: `token ${token}` }),
  // Servers return at most 50 items per page by default.
  pullRequests: { path: 'pulls?state=open&limit=50', schema: Pull },
  comments: { ...GITHUB.comments, pageQuery: undefined, schema: Comment },
  // The state `skipped` is not used, since only newer versions support it.
  status: { ...GITHUB.status, descriptionMax: 255 },
  refusalHint:
    'Check that the token may write to this repository and its issues, and that its user is a collaborator.',
}
