/** Forms that connect a repository, change how it is built, and disconnect it. */
import { ConnectionReply, CreatedConnection } from '@octavo/contract'
import { pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { projectPage } from '../../parts/frame.ts'
import { html } from '../../parts/html.ts'
import { notice } from '../../parts/notice.ts'
import { findApi, NO_REPLY, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import type { GitHubChoice } from '../../visit/visit.ts'
import { showCreatedConnection } from './created.ts'
import { gitHubForm, readBuildFields } from './form.ts'
import { connectionPath, gitHubPath, showConnection } from './show.ts'
import type { CREDENTIAL_WORDS } from './words.ts'

export async function connectRepository(screen: ProjectScreen, form: Form): Promise<Response> {
  const { token, ...build } = readBuildFields(form)
  const credential = formValue(form, 'credential') || 'none'
  const grant = formValue(form, 'grant') || undefined
  const sent = await sendApi(screen.visit.api, CreatedConnection, {
    method: 'POST',
    path: connectionPath(screen),
    body: {
      ...build,
      url: formValue(form, 'url'),
      provider: formValue(form, 'provider') || undefined,
      credential,
      grant,
      // A browser may fill in the token field although it is hidden.
      token: credential === 'token' ? token : undefined,
    },
  })
  if (sent.ok) return showCreatedConnection(screen, sent.data)
  const attempt = { form, problem: sent.problem }
  if (grant === undefined) return showConnection(screen, { attempt })
  const url = formValue(form, 'url')
  const name = url
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/\.git$/, '')
  return gitHubPage(screen, { grant, repositories: [{ name, url }], hasMore: false }, attempt)
}

/**
 * Shows the repositories to choose from after a redirect from GitHub. If the page is opened
 * directly, no repositories are known, so it redirects to the connection screen.
 */
export async function showGitHub(screen: ProjectScreen): Promise<Response> {
  const { gitHub } = screen.visit
  if (gitHub === undefined) return redirect(screen.path('connection'))
  return gitHubPage(screen, gitHub)
}

function gitHubPage(screen: ProjectScreen, choice: GitHubChoice, attempt?: Attempt): Response {
  const { path, project } = screen
  const missing = html`
    Not listed? <a class="link" href="${gitHubPath(screen)}">Change which repositories the app can read</a>.
    Repositories that you cannot push to are not listed.
  `
  const content =
    choice.repositories.length === 0
      ? notice({
          tone: 'warning',
          title: 'There are no repositories to choose from.',
          text: 'The app cannot read any repositories, or you cannot push to those that it can read.',
        })
      : gitHubForm(screen, choice, attempt)
  const more =
    choice.hasMore &&
    notice({
      tone: 'warning',
      text: 'There are more repositories than can be listed. Limit the app to those that you need.',
    })
  return projectPage(screen, {
    section: 'connection',
    title: 'Choose a repository',
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Choose a repository',
        lead: 'The list shows the repositories that you can push to and that the app can read.',
        back: { href: path('connection'), label: 'Git connection' },
      })}
      ${more}
      ${content}
      <p class="hint">${missing}</p>
      ${equivalentCommands(
        `octavo-service connection add ${project.id} --url https://github.com/owner/name.git --github-app`,
      )}
    `,
  })
}

export async function changeConnection(screen: ProjectScreen, form: Form): Promise<Response> {
  const { branch = null, ...rest } = readBuildFields(form)
  const sent = await sendApi(screen.visit.api, ConnectionReply, {
    method: 'PUT',
    path: connectionPath(screen),
    body: { ...rest, branch, url: formValue(form, 'url') || undefined },
  })
  if (!sent.ok) return showConnection(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('connection?saved'))
}

export async function showDisconnect(screen: ProjectScreen, problem?: string): Promise<Response> {
  const { visit, path, options, project } = screen
  const connection = await findApi(visit.api, ConnectionReply, connectionPath(screen))
  if (connection === undefined) return showConnection(screen)
  const { url, credential } = connection
  return confirmPage(screen, {
    section: 'connection',
    title: 'Disconnect the repository?',
    text: html`Pushes to <code>${url}</code> will no longer be built.`,
    facts: [
      ['What stops', 'Builds of pushes, and previews, comments and checks of pull requests'],
      ['What is deleted', `${FORGOTTEN[credential]}, and the secret of the webhook`],
      ['What stays', 'The live site, all deployments and builds'],
      ['Delete at the Git host', LEFT[credential]],
    ],
    action: path('connection/remove'),
    button: 'Disconnect',
    isDanger: true,
    back: { href: path('connection'), label: 'Git connection' },
    problem,
    same: [
      curlCommand({ url: options.url, method: 'DELETE', path: connectionPath(screen) }),
      `octavo-service connection remove ${project.id}`,
    ],
  })
}

const FORGOTTEN: Readonly<Record<keyof typeof CREDENTIAL_WORDS, string>> = {
  none: 'The address of the repository',
  token: 'The token',
  'ssh-key': 'The deploy key',
  'github-app': 'The link to the installation of the app',
}
const LEFT: Readonly<Record<keyof typeof CREDENTIAL_WORDS, string>> = {
  none: 'The webhook',
  token: 'The webhook and the token',
  'ssh-key': 'The webhook and the deploy key',
  'github-app': 'Nothing; you can also delete the app if no other project uses it',
}

export async function disconnect(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: connectionPath(screen),
  })
  if (!sent.ok) return showDisconnect(screen, sent.problem.detail)
  return redirect(screen.path('connection'))
}
