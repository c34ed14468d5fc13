/** `/projects/:id/connection`: the repository that the site is built from. */
import { Build, BuildList, ConnectionReply, DeliveryList } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postButton } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { notice } from '../../parts/notice.ts'
import { octavoCommand } from '../../parts/octavo-command.ts'
import { actionRow, dangerZone } from '../../parts/settings-row.ts'
import { GOOD, stateTag, WARNING } from '../../parts/state.ts'
import { table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi, readApi, sendApi } from '../../visit/call-api.ts'
import type { Attempt, ProjectScreen } from '../../visit/screen.ts'
import { buildTable } from '../builds/rows.ts'
import { buildProblem, checkButton, stateCard, stoppingCheck } from './checks.ts'
import { changeForm, connectForm } from './form.ts'

/** The response status of an accepted webhook. */
const ACCEPTED = 202
const BUILDS_SHOWN = 5
const DELIVERIES_SHOWN = 5

export const connectionPath = ({ project }: ProjectScreen) =>
  apiPaths.project(project.id, '/connection')

/**
 * Returns the path that redirects to GitHub. It must be a link: the content security policy forbids
 * forms that redirect to another origin.
 */
export const gitHubPath = ({ project }: ProjectScreen) => `/connect/github/${project.id}`

type Shown = {
  /** The rejected form, which connects a repository or changes the connection. */
  readonly attempt?: Attempt
  readonly problem?: string
}

export async function showConnection(
  screen: ProjectScreen,
  { attempt, problem }: Shown = {},
): Promise<Response> {
  const { visit } = screen
  const connection = await findApi(visit.api, ConnectionReply, connectionPath(screen))
  return projectPage(screen, {
    section: 'connection',
    title: 'Git connection',
    status: attempt?.problem.status ?? (problem === undefined ? 200 : 409),
    body:
      connection === undefined
        ? notConnected(screen, attempt)
        : await connected(screen, connection, { attempt, problem }),
  })
}

export async function checkConnection(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, ConnectionReply, {
    method: 'POST',
    path: `${connectionPath(screen)}/check`,
  })
  if (!sent.ok) return showConnection(screen, { problem: sent.problem.detail })
  return redirect(screen.path('connection?checked'))
}

export async function buildNow(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, Build, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/builds'),
  })
  if (!sent.ok) return showConnection(screen, { problem: sent.problem.detail })
  return redirect(screen.path(`builds/${sent.data.id}`))
}

async function connected(
  screen: ProjectScreen,
  connection: ConnectionReply,
  {
    attempt,
    problem,
  }: { readonly attempt: Attempt | undefined; readonly problem: string | undefined },
): Promise<Html> {
  const { visit, project, options, path } = screen
  const [{ builds }, { deliveries }] = await Promise.all([
    readApi(visit.api, BuildList, apiPaths.project(project.id, '/builds', { limit: BUILDS_SHOWN })),
    readApi(visit.api, DeliveryList, `${connectionPath(screen)}/deliveries`),
  ])
  const branch = connection.publishedBranch ?? 'the default branch'
  const previews = connection.previews ? ' Every pull request gets a preview.' : ''
  return html`
    ${pageHead({
      title: 'Git connection',
      lead: `Every push to ${branch} is built and published.${previews}`,
      actions: headActions(screen, connection),
    })}
    ${problem !== undefined && notice({ tone: 'bad', text: problem })}
    ${attempt === undefined && result(screen, connection)}
    ${stateCard(screen, connection, deliveries)}
    ${card({
      title: 'Last builds',
      aside: builds.length > 0 && html`<a class="link" href="${path('builds')}">All builds</a>`,
      isFlush: true,
      body:
        builds.length === 0
          ? emptyState(
              'No builds yet',
              'The first build appears here once the repository has been read.',
            )
          : buildTable(screen, builds),
    })}
    ${deliveriesCard(screen, deliveries)}
    ${changeForm(screen, connection, attempt)}
    ${dangerZone([
      actionRow({
        title: 'Disconnect the repository',
        text: 'The site and all deployments are kept. Pushes are no longer built.',
        action: html`<a class="button danger" href="${path('connection/remove')}">Disconnect…</a>`,
      }),
    ])}
    ${equivalentCommands(
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/builds'),
      }),
      curlCommand({ url: options.url, method: 'POST', path: `${connectionPath(screen)}/check` }),
      `octavo-service connection test ${project.id}`,
    )}
  `
}

/**
 * Renders the result of the last click; undefined if a check failed, which the card below explains.
 */
function result({ url }: ProjectScreen, connection: ConnectionReply): HtmlPart {
  if (stoppingCheck(connection) !== undefined) return undefined
  if (url.searchParams.has('checked'))
    return notice({ tone: 'good', text: 'The repository was read. New commits are being built.' })
  return (
    url.searchParams.has('saved') &&
    notice({
      tone: 'good',
      title: 'Saved.',
      text:
        connection.checkedAt === null
          ? 'The repository will be checked shortly.'
          : 'The repository was read, and changes are being built.',
    })
  )
}

function headActions(screen: ProjectScreen, connection: ConnectionReply): Html {
  const off = buildProblem(connection)
  return html`
    ${off === undefined ? checkButton(screen) : html`<span class="muted small" id="no-build">${off}</span>`}
    ${screen.may('deploy:write') && buildButton(screen, off !== undefined)}
  `
}

function buildButton({ visit, path }: ProjectScreen, isOff: boolean): Html {
  const label = html`${icon('rocket')}Build now`
  if (isOff)
    return html`<button class="button" type="button" disabled aria-describedby="no-build">${label}</button>`
  return postButton({
    action: path('connection/build'),
    token: visit.formToken,
    look: 'primary',
    label,
  })
}

function notConnected(screen: ProjectScreen, attempt: Attempt | undefined): Html {
  const { project, options } = screen
  const body = { url: 'https://github.com/owner/name.git' }
  return html`
    ${pageHead({
      title: 'Git connection',
      lead: 'Every push is built and published, and every pull request gets a preview.',
    })}
    ${gitHubCard(screen)}
    ${connectForm(screen, attempt)}
    <p class="hint">
      Or deploy from CI without connecting a repository: <code>${octavoCommand(options, 'deploy', project.id)}</code>
    </p>
    ${equivalentCommands(
      curlCommand({ url: options.url, method: 'POST', path: connectionPath(screen), body }),
      `octavo-service connection add ${project.id} --url ${body.url}`,
    )}
  `
}

/**
 * Renders a card for the service's GitHub App, if there is one. The app needs no token or webhook,
 * and does not depend on one person's account.
 */
function gitHubCard(screen: ProjectScreen): HtmlPart {
  if (screen.options.connectsGitHub !== true) return undefined
  const path = gitHubPath(screen)
  return card({
    title: 'From GitHub',
    body: html`
      <p>
        With the GitHub App, you do not need to set up a token or a webhook, and the connection keeps working when
        a member leaves.
      </p>
    `,
    foot: html`
      <span>You choose on GitHub which repositories the app may read.</span>
      <div class="actions end">
        <a class="button" href="${path}?installed">Already installed</a>
        <a class="button primary" href="${path}">Connect with GitHub</a>
      </div>
    `,
  })
}

type Deliveries = DeliveryList['deliveries']

function deliveriesCard({ now }: ProjectScreen, deliveries: Deliveries): Html {
  const [newest] = deliveries
  const rows = deliveries
    .slice(0, DELIVERIES_SHOWN)
    .map(({ receivedAt, event, ref, status, reason }) => ({
      cells: [
        {
          isLead: true,
          content: html`
          <span class="main">${event ?? 'Webhook'}${ref !== undefined && ` to ${ref}`}</span>
          ${reason !== undefined && html`<div class="sub">${reason}</div>`}
        `,
        },
        stateTag(status === ACCEPTED ? GOOD('Accepted') : WARNING('Refused')),
        { content: timeTag(receivedAt, now), isEnd: true, className: 'muted' },
      ],
    }))
  return card({
    title: 'Webhook',
    aside: newest && html`Last delivery ${timeTag(newest.receivedAt, now)}`,
    isFlush: true,
    body:
      rows.length === 0
        ? emptyState(
            'No webhook has arrived yet',
            'Webhook deliveries from the Git host appear here. Push a commit, or send a test from the repository’s settings.',
          )
        : table({
            caption: 'Webhooks, newest first',
            className: 'deliveries',
            columns: [{ label: 'Event' }, { label: 'Result' }, { label: 'Received', isEnd: true }],
            rows,
          }),
    foot: 'Without a webhook, new commits are found about every 5 minutes.',
  })
}
