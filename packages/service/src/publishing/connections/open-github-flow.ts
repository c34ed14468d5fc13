import type { GitHubApp, GitHubAppSettings } from '../providers/github-app.ts'
import { GitHubUsers } from '../providers/github-user.ts'
import { GITHUB_RETURN_PATH, type GitHubFlow } from './github-pages.ts'

/**
 * Returns undefined unless the service has a GitHub App with an OAuth client and knows its own URL.
 */
export function openGitHubFlow(
  settings: {
    readonly gitHubApp: GitHubAppSettings | undefined
    readonly url: string | undefined
    readonly allowPrivateHosts: readonly string[]
  },
  app: GitHubApp | undefined,
  now: () => number,
): GitHubFlow | undefined {
  const { gitHubApp, url, allowPrivateHosts } = settings
  if (gitHubApp?.client === undefined || app === undefined || url === undefined) return undefined
  const { client } = gitHubApp
  const redirectUri = new URL(GITHUB_RETURN_PATH, url).href
  const users = new GitHubUsers({ ...gitHubApp, client }, { allowPrivateHosts, redirectUri, now })
  return { app, users }
}
