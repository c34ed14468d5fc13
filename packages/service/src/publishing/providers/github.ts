/**
 * The API of GitHub and GitHub Enterprise Server. The App reports builds as check runs; with a
 * token, they are reported as commit statuses.
 */
import { z } from 'zod'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import type { GitHost } from './git-host.ts'
import { inlineCode } from './inline-code.ts'
import type { PullRequest } from './provider.ts'

/** GitHub rejects commit statuses with a longer description. */
const DESCRIPTION_MAX = 140
const API_VERSION = '2022-11-28'

const Pull = z
  .object({
    number: z.int(),
    html_url: z.string(),
    head: z.object({
      sha: z.string(),
      ref: z.string(),
      // The repository of the branch is missing if the fork was deleted.
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
    // Commit statuses have no neutral state for skipped builds.
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

/** The API of GitHub as the GitHub App uses it. */
export const GITHUB_APP_HOST: GitHost = {
  ...GITHUB,
  checkRunOf,
  refusalHint:
    'Check that the app is installed on this repository, and accept its new permissions if it asks for some.',
}

/**
 * Returns the URL of GitHub's API. It is on a separate host, or below a path on GitHub Enterprise
 * Server.
 */
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
    // GitHub shows the title as plain text and the summary as Markdown.
    output: { title: description.slice(0, DESCRIPTION_MAX), summary: inlineCode(description) },
    ...(url !== undefined && { details_url: url }),
  }
}
