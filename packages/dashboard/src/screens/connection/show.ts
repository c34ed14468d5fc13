/** `/projects/:id/connection`: the repository that the site is built from. */
import { ConnectionReply, ConnectionTest, DeliveryList } from '@octavo/contract'
import { card, emptyState, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { postButton } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { webLink } from '../../parts/link.ts'
import { notice } from '../../parts/notice.ts'
import { octavoCommand } from '../../parts/octavo-command.ts'
import { BAD, GOOD, stateTag, WARNING } from '../../parts/state.ts'
import { table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi, readApi, sendApi } from '../../visit/call-api.ts'
import type { Attempt, ProjectScreen } from '../../visit/screen.ts'
import { connectForm } from './form.ts'
import { CREDENTIAL_WORDS, PROVIDER_WORDS } from './words.ts'

/** The response status of an accepted webhook. */
const ACCEPTED = 202
const BRANCHES_SHOWN = 10

export const connectionPath = ({ project }: ProjectScreen) =>
  apiPaths.project(project.id, '/connection')

/** Used as a link, since it redirects to another origin, which the policy forbids for forms. */
export const gitHubPath = ({ project }: ProjectScreen) => `/connect/github/${project.id}`

type Shown = { readonly attempt?: Attempt; readonly tested?: HtmlPart }

export async function showConnection(
  screen: ProjectScreen,
  { attempt, tested }: Shown = {},
): Promise<Response> {
  const { visit, project, options, url } = screen
  const path = connectionPath(screen)
  const connection = await findApi(visit.api, ConnectionReply, path)
  const saved =
    url.searchParams.has('saved') &&
    notice({ tone: 'good', title: 'Saved.', text: 'The repository is checked now.' })
  const content =
    connection === undefined
      ? html`${gitHubCard(screen)}${connectForm(screen, attempt)}${withoutConnection(screen)}`
      : html`${connectedCard(screen, connection)}${await deliveriesCard(screen)}`
  const commands =
    connection === undefined
      ? [
          curlCommand({
            url: options.url,
            method: 'POST',
            path,
            body: { url: 'https://github.com/owner/name.git' },
          }),
          `octavo-service connection add ${project.id} --url https://github.com/owner/name.git`,
        ]
      : [curlCommand({ url: options.url, path }), `octavo-service connection test ${project.id}`]
  return projectPage(screen, {
    section: 'connection',
    title: 'Git connection',
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Git connection',
        lead: 'Every push is built and published, and every pull request gets a preview.',
      })}
      ${saved}
      ${tested}
      ${content}
      ${equivalentCommands(...commands)}
    `,
  })
}

export async function testConnection(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, ConnectionTest, {
    method: 'POST',
    path: `${connectionPath(screen)}/test`,
  })
  const tested = sent.ok
    ? testNotice(sent.data)
    : notice({ tone: 'bad', title: 'The test failed.', text: sent.problem.detail })
  return showConnection(screen, { tested })
}

function testNotice({ problem, published, branches, defaultBranch }: ConnectionTest): Html {
  if (published === undefined)
    return notice({
      tone: 'bad',
      title: 'The test failed.',
      text: problem ?? 'Nothing is published.',
    })
  const names = branches.slice(0, BRANCHES_SHOWN).join(', ')
  const more = branches.length > BRANCHES_SHOWN ? ' and more' : ''
  return notice({
    tone: 'good',
    title: 'The connection works.',
    text: html`
      Published: <code>${published.branch}</code> at <code>${published.commit.slice(0, 12)}</code>. Default
      branch: ${defaultBranch ?? 'the server does not say'}. Branches: ${names}
      ${more}.
    `,
  })
}

/**
 * Offers the service's GitHub App, if there is one: it needs no token or webhook, and does not
 * depend on a person.
 */
function gitHubCard(screen: ProjectScreen): HtmlPart {
  if (screen.options.connectsGitHub !== true) return undefined
  const path = gitHubPath(screen)
  return card({
    title: 'From GitHub',
    body: html`
      <p>
        With the GitHub App there is no token and no webhook to set up, and the connection does not end when
        somebody leaves.
      </p>
    `,
    foot: html`
      <span>You choose on GitHub which repositories the app may read.</span>
      <div class="actions end">
        <a class="button" href="${path}?installed">It is installed already</a>
        <a class="button primary" href="${path}">Connect with GitHub</a>
      </div>
    `,
  })
}

function withoutConnection({ project, options }: ProjectScreen): Html {
  return html`
    <p class="hint">
      Or deploy from CI without a connection: <code>${octavoCommand(options, 'deploy', project.id)}</code>
    </p>
  `
}

function connectedCard({ visit, path, now }: ProjectScreen, connection: ConnectionReply): Html {
  const { url, provider, credential, branch, folder, previews, forks } = connection
  const { problem, checkedAt, refreshMinutes } = connection
  const test = postButton({
    action: path('connection/test'),
    token: visit.formToken,
    label: html`${icon('redo')}Test the connection`,
  })
  return card({
    title: 'Repository',
    aside: stateTag(problem === null ? GOOD('Connected') : BAD('Does not work')),
    body: html`${problem !== null && notice({ tone: 'bad', text: problem })}${factList([
      ['Repository', webLink(url, url)],
      ['Host', PROVIDER_WORDS[provider]],
      ['How it is read', CREDENTIAL_WORDS[credential]],
      ['Branch', branch ?? 'The default branch'],
      ['Folder', folder === '' ? 'The root of the repository' : html`<code>${folder}</code>`],
      ['Previews', previewWords(previews, forks)],
      refreshMinutes === null
        ? undefined
        : ['Built anew for hosted specifications', `Every ${refreshMinutes} minutes`],
      ['Last checked', checkedAt === null ? 'Not yet' : timeTag(checkedAt, now)],
    ])}`,
    foot: html`
      <a class="button danger" href="${path('connection/remove')}">Disconnect…</a>
      <div class="actions end">
        <a class="button" href="${path('connection/change')}">Change</a>
        ${test}
      </div>
    `,
  })
}

function previewWords(previews: boolean, forks: boolean): string {
  if (!previews) return 'None'
  return forks ? 'Branches and pull requests, also from forks' : 'Branches and pull requests'
}

async function deliveriesCard(screen: ProjectScreen): Promise<Html> {
  const { visit, now } = screen
  const path = `${connectionPath(screen)}/deliveries`
  const { deliveries } = await readApi(visit.api, DeliveryList, path)
  const rows = deliveries.map(({ receivedAt, event, ref, status, reason }) => ({
    cells: [
      stateTag(status === ACCEPTED ? GOOD('Accepted') : WARNING('Refused')),
      {
        isLead: true,
        content: html`<span class="main">${event ?? 'Webhook'}</span> <span class="sub">${ref} ${reason}</span>`,
      },
      { content: timeTag(receivedAt, now), isEnd: true, className: 'muted' },
    ],
  }))
  return card({
    title: 'Webhooks',
    aside: 'The last ones, refused ones with the reason',
    isFlush: true,
    body:
      rows.length === 0
        ? emptyState(
            'No webhook has arrived',
            'Push a commit, or send a test from the settings of the Git host. Without webhooks, pushes are found within about five minutes.',
          )
        : table({
            caption: 'Webhooks, the newest first',
            columns: [{ label: 'Result' }, { label: 'Event' }, { label: 'When', isEnd: true }],
            rows,
          }),
  })
}
