/** GitHub and GitHub Enterprise Server: check runs for the App, commit statuses for a token. */
import { z } from 'zod'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import type { GitHost } from './git-host.ts'
import { inlineCode } from './inline-code.ts'
import type { PullRequest } from './provider.ts'

/** GitHub rejects longer status descriptions. */
const DESCRIPTION_MAX = 140
const API_VERSION = '2022-11-28'

const Pull = z
  .object({
    number: z.int(),
    html_url: z.string(),
    head: z.object({
      sha: z.string(),
      ref: z.string(),
      // Missing if the fork was deleted.
      repo: z.object({ id: z.int() }).nullish(),
    }),
    base: z.object({ ref: z.string(), repo: z.object({ id: z.int() }) }),
  })
  .transform(
    ({ number, html_url, head, base }): PullRequest => ({
      number,
      url: html_url,
      headCommit: head.sha,
      headBranch: head.ref,
      baseBranch: base.ref,
      isFork: head.repo?.id !== base.repo.id,
    }),
  )
const Comment = z
  .object({
    id: z.int(),
    body: z.string().nullish(),
    user: z.object({ id: z.int() }).nullish(),
    performed_via_github_app: z.object({ id: z.int() }).nullish(),
  })
  .transform(({ id, body, user, performed_via_github_app: app }) => ({
    id,
    body: body ?? '',
    userId: user?.id,
    appId: app?.id,
  }))

export const GITHUB: GitHost = {
  apiUrl: ({ origin }) => gitHubApiUrl(origin),
  repositoryPath: ([owner = '', name = '']) =>
    `repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
  headers: gitHubHeaders,
  pullRequests: { path: 'pulls?state=open&per_page=100', schema: Pull },
  comments: {
    path: (pullRequest) => `issues/${pullRequest}/comments`,
    editPath: (_, id) => `issues/comments/${id}`,
    editMethod: 'PATCH',
    pageQuery: 'per_page=100',
    schema: Comment,
  },
  status: {
    nameField: 'context',
    // A commit status has no neutral state.
    states: {
      pending: 'pending',
      success: 'success',
      failure: 'failure',
      skipped: 'success',
      error: 'error',
    },
    descriptionMax: DESCRIPTION_MAX,
  },
  refusalHint:
    'Check that the token may read this repository, and write commit statuses and pull requests.',
}

/** The same host, called by the GitHub App. */
export const GITHUB_APP_HOST: GitHost = {
  ...GITHUB,
  checkRunOf,
  refusalHint:
    'Check that the app is installed on this repository, and accept its new permissions if it asks for some.',
}

/** GitHub's API is on a separate host, that of GitHub Enterprise Server below a path. */
export function gitHubApiUrl(origin: string): string {
  const { protocol, hostname } = new URL(origin)
  const isPublic = hostname === 'github.com' || hostname === 'www.github.com'
  return isPublic ? `${protocol}//api.github.com` : `${origin}/api/v3`
}

export function gitHubHeaders(token: string) {
  return {
    accept: 'application/vnd.github+json',
    'x-github-api-version': API_VERSION,
    authorization: `Bearer ${token}`,
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
