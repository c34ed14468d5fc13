import { z } from 'zod'
import { filled, httpUrl, refuse, type ValuesOf } from '../../platform/settings-values.ts'
import {
  findKeyProblem,
  type GitHubAppSettings,
  type GitHubClient,
  PUBLIC_GITHUB_URL,
} from './github-app.ts'

export const GITHUB_VARIABLES = {
  /** The GitHub Enterprise Server of the GitHub App. The default is github.com. */
  OCTAVO_GITHUB_URL: httpUrl(
    'OCTAVO_GITHUB_URL',
    'the address of GitHub, such as https://github.example.com',
  ).default(PUBLIC_GITHUB_URL),
  /**
   * The GitHub App that repositories are connected through: its id, its private key, and the secret
   * of its webhook.
   */
  OCTAVO_GITHUB_APP_ID: z
    .string()
    .regex(/^\d{1,20}$/, {
      error: 'OCTAVO_GITHUB_APP_ID must be the number of the app, such as 123456.',
    })
    .optional(),
  OCTAVO_GITHUB_APP_KEY: z.string().transform(readAppKey).optional(),
  OCTAVO_GITHUB_APP_WEBHOOK_SECRET: z
    .string()
    .min(16, {
      error:
        'OCTAVO_GITHUB_APP_WEBHOOK_SECRET needs at least 16 characters. Generate one with: openssl rand -hex 32',
    })
    .optional(),
  /**
   * The OAuth client of the app. If it is set, people can connect repositories on the dashboard.
   */
  OCTAVO_GITHUB_APP_CLIENT_ID: filled(
    'OCTAVO_GITHUB_APP_CLIENT_ID',
    'the client ID of the app, such as Iv1.8a61f9b3a7aba766',
  ).optional(),
  OCTAVO_GITHUB_APP_CLIENT_SECRET: filled(
    'OCTAVO_GITHUB_APP_CLIENT_SECRET',
    'a client secret of the app, such as the 40 characters that GitHub showed once',
  ).optional(),
}

type GitHubValues = ValuesOf<typeof GITHUB_VARIABLES>

/** Reads a private key. Keys in environment variables often have escaped line breaks. */
function readAppKey(text: string, context: z.RefinementCtx): string {
  const key = text.replaceAll('\\n', '\n')
  const problem = findKeyProblem(key)
  if (problem === undefined) return key
  return refuse(
    context,
    `OCTAVO_GITHUB_APP_KEY is not the key of a GitHub App: ${problem}. Use the text of the file that you download from GitHub, such as -----BEGIN RSA PRIVATE KEY-----….`,
  )
}

/** Returns the settings of the app, undefined if it is not configured, or an error message. */
export function readGitHubApp(values: GitHubValues): GitHubAppSettings | string | undefined {
  const { OCTAVO_GITHUB_APP_ID: id, OCTAVO_GITHUB_APP_KEY: key } = values
  if ((id === undefined) !== (key === undefined))
    return 'OCTAVO_GITHUB_APP_ID and OCTAVO_GITHUB_APP_KEY belong together: set both or neither.'
  const client = readClient(values)
  if (typeof client === 'string' || id === undefined || key === undefined)
    return typeof client === 'string' ? client : undefined
  const webhookSecret = values.OCTAVO_GITHUB_APP_WEBHOOK_SECRET
  return { id, key, url: values.OCTAVO_GITHUB_URL, webhookSecret, client }
}

/**
 * Reads the OAuth client with which people authorize the GitHub App. Returns undefined if it is not
 * configured, or an error message.
 */
function readClient(values: GitHubValues): GitHubClient | string | undefined {
  const { OCTAVO_GITHUB_APP_CLIENT_ID: id, OCTAVO_GITHUB_APP_CLIENT_SECRET: secret } = values
  if (id === undefined && secret === undefined) return undefined
  if (id === undefined || secret === undefined)
    return 'OCTAVO_GITHUB_APP_CLIENT_ID and OCTAVO_GITHUB_APP_CLIENT_SECRET belong together: set both or neither.'
  if (values.OCTAVO_GITHUB_APP_ID === undefined)
    return 'OCTAVO_GITHUB_APP_CLIENT_ID needs OCTAVO_GITHUB_APP_ID and OCTAVO_GITHUB_APP_KEY.'
  return { id, secret }
}
