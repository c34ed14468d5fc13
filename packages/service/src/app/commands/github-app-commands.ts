/** Commands that create the service's GitHub App from a manifest. */
import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { GITHUB_RETURN_PATH } from '../../publishing/connections/github-pages.ts'
import { callApi } from '../../publishing/providers/call-api.ts'
import { gitHubApiUrl } from '../../publishing/providers/github.ts'
import { APP_PERMISSIONS } from '../../publishing/providers/github-app.ts'
import {
  type CommandInput,
  type CommandTable,
  type Lines,
  required,
  UsageError,
} from './arguments.ts'

const GITHUB_APP_HOOK_PATH = '/v1/hooks/github-app'

const FILE_MODE = 0o600

/** GitHub's response to the code exchange. */
const Conversion = z.object({
  id: z.int(),
  slug: z.string(),
  html_url: z.string(),
  pem: z.string(),
  webhook_secret: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
})

export const GITHUB_APP_COMMANDS: CommandTable = {
  'github-app create': createManifest,
  'github-app exchange': exchangeCode,
}

/** `github-app create`: prints the manifest and how to use it. */
async function* createManifest({ settings, options }: CommandInput): Lines {
  if (settings.url === undefined)
    throw new UsageError('OCTAVO_URL is not set, so GitHub would not know where to send webhooks.')
  const organization = options.organization
  if (organization !== undefined && !/^[\w-]{1,39}$/.test(organization))
    throw new UsageError('Invalid --organization: expected the name of an organization on GitHub.')
  const manifest = JSON.stringify(manifestOf(settings.url, options.name ?? 'Octavo'), null, 2)
  const account = organization === undefined ? '' : `/organizations/${organization}`
  const action = `${new URL(settings.gitHubUrl).origin}${account}/settings/apps/new`
  const file = options.output
  if (file !== undefined) writeFileSync(file, printForm(action, manifest))
  yield manifest
  yield ''
  yield 'To create the app:'
  yield file === undefined
    ? '1. Run this command again with -o app.html. It writes a page with a form that sends the manifest to GitHub.'
    : `1. Open ${file} in a browser where you are signed in to GitHub, and select the button.`
  yield `   The form posts the field "manifest" to ${action}`
  yield '2. GitHub asks for the name of the app and creates it.'
  yield '3. GitHub then opens the URL of this service with ?code=… at its end. Copy the code. It is valid for one hour.'
  yield '4. Run: octavo-service github-app exchange <code> -o app-key.pem'
}

function manifestOf(serviceUrl: string, name: string): object {
  const { origin } = new URL(serviceUrl)
  return {
    name,
    url: origin,
    hook_attributes: { url: `${origin}${GITHUB_APP_HOOK_PATH}`, active: true },
    redirect_url: origin,
    // With user authorization, GitHub redirects to the callback URL and identifies the user. The
    // setup URL is for redirects without user authorization, after an installation was changed.
    callback_urls: [`${origin}${GITHUB_RETURN_PATH}`],
    setup_url: `${origin}${GITHUB_RETURN_PATH}`,
    setup_on_update: true,
    request_oauth_on_install: true,
    public: false,
    default_permissions: APP_PERMISSIONS,
    default_events: ['push', 'pull_request'],
  }
}

function printForm(action: string, manifest: string): string {
  const escapeHtml = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  return `<!doctype html>
<meta charset="utf-8">
<title>Create the GitHub App</title>
<form method="post" action="${escapeHtml(action)}">
  <input type="hidden" name="manifest" value="${escapeHtml(manifest)}">
  <button>Create the GitHub App</button>
</form>
`
}

/**
 * `github-app exchange`: exchanges the code of the manifest flow for the id, the key and the
 * secret.
 */
async function* exchangeCode({ settings, options, words, now }: CommandInput): Lines {
  const code = required(words[0], 'code')
  if (!/^[\w-]{1,100}$/.test(code))
    throw new UsageError('Invalid code: copy it from the URL, after ?code=.')
  const file = required(options.output, '-o <file>')
  const api = gitHubApiUrl(new URL(settings.gitHubUrl).origin)
  const reply = await callApi(
    {
      method: 'POST',
      url: `${api}/app-manifests/${code}/conversions`,
      headers: { accept: 'application/vnd.github+json' },
      allowPrivateHosts: settings.allowPrivateHosts,
      secret: code,
      now,
      signal: new AbortController().signal,
    },
    Conversion,
  )
  if (reply.kind === 'failed')
    throw new UsageError(
      reply.status === 404
        ? 'GitHub does not recognize this code. A code is valid for one hour and can be used only once: create the app again.'
        : reply.message,
    )
  const { id, slug, pem, webhook_secret, client_id, client_secret, html_url } = reply.data
  // The file is readable by its owner only, and an existing file is not replaced.
  writeFileSync(file, pem, { mode: FILE_MODE, flag: 'wx' })
  yield `Created the GitHub App "${slug}". Set these variables for all processes of the service:`
  yield `OCTAVO_GITHUB_APP_ID=${id}`
  yield `OCTAVO_GITHUB_APP_KEY_FILE=${file}`
  yield `OCTAVO_GITHUB_APP_WEBHOOK_SECRET=${webhook_secret}`
  yield `OCTAVO_GITHUB_APP_CLIENT_ID=${client_id}`
  yield `OCTAVO_GITHUB_APP_CLIENT_SECRET=${client_secret}`
  yield 'Then connect repositories on the dashboard. To connect them with commands, install the app on them:'
  yield `${html_url}/installations/new`
}
