/**
 * The state of a connection: the results of five checks, with an explanation of the first that
 * failed.
 */
import type { ConnectionReply, DeliveryList } from '@octavo/contract'
import { branchTag } from '../../parts/card.ts'
import { codeSample } from '../../parts/code-sample.ts'
import { postButton } from '../../parts/form.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { type IconName, icon } from '../../parts/icon.ts'
import { webLink } from '../../parts/link.ts'
import { BAD, GOOD, OFF, type State, stateTag } from '../../parts/state.ts'
import { timeTag } from '../../parts/time.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { CREDENTIAL_WORDS } from './words.ts'

type Checks = ConnectionReply['checks']
type CheckName = keyof Checks

const NAMES: readonly CheckName[] = ['reachable', 'access', 'branch', 'docsJson', 'webhook']

/**
 * Returns the first failed check that stops builds. The webhook check does not: pushes are also
 * found by polling.
 */
export function stoppingCheck({ checks }: ConnectionReply): CheckName | undefined {
  return NAMES.find((name) => name !== 'webhook' && checks[name] === 'bad')
}

/** Returns why nothing can be built now; undefined if it can. */
export function buildProblem(connection: ConnectionReply): string | undefined {
  const bad = stoppingCheck(connection)
  if (bad === 'reachable' || bad === 'access')
    return 'Builds wait until the repository can be read.'
  return bad === 'branch' ? 'Builds wait until there is a branch to publish.' : undefined
}

function connectionState(connection: ConnectionReply): State {
  switch (stoppingCheck(connection)) {
    case 'reachable':
    case 'access':
      return BAD('Cannot read the repository')
    case 'branch':
      return BAD('No branch to publish')
    case 'docsJson':
      return BAD('No docs.json')
    default:
      return connection.checkedAt === null ? OFF('Not checked yet') : GOOD('Connected')
  }
}

type Deliveries = DeliveryList['deliveries']

export function stateCard(
  screen: ProjectScreen,
  connection: ConnectionReply,
  deliveries: Deliveries,
): Html {
  const { now } = screen
  const { url, folder, credential, publishedBranch, checkedAt, nextCheckAt } = connection
  const since =
    connection.failedSince !== null && html`since ${timeTag(connection.failedSince, now)}, `
  const checked = checkedAt === null ? undefined : html`checked ${timeTag(checkedAt, now)}`
  const bad = NAMES.find((name) => connection.checks[name] === 'bad')
  return html`
    <section class="card">
      <div class="live">
        <div>
          <div class="where">
            ${stateTag(connectionState(connection), true)}
            <span class="muted small">${since}${checked}</span>
          </div>
          <h2>${webLink(url, url.replace(/^https?:\/\//, ''), { className: 'main' })}</h2>
          <div class="sub">
            ${branchTag(publishedBranch ?? undefined)}
            ${folder !== '' && html`<span class="mono">${folder}/</span>`}
            <span>${CREDENTIAL_WORDS[credential]}</span>
          </div>
        </div>
        <div class="actions"><a class="button" href="#change">Change…</a></div>
      </div>
      <ol class="check-row">${NAMES.map((name) => checkItem(name, connection))}</ol>
      ${bad !== undefined && explanation(screen, connection, { bad, deliveries })}
      ${
        stoppingCheck(connection) !== undefined &&
        html`<div class="card-foot"><span>Next check ${timeTag(nextCheckAt, now)}.</span></div>`
      }
    </section>
  `
}

const SIGNS: Readonly<Record<Checks[CheckName], IconName>> = {
  good: 'check-circle',
  bad: 'x-circle',
  unknown: 'dashed',
}
const STATE_WORDS = { good: 'good', bad: 'failed', unknown: 'not checked' } as const

function checkItem(name: CheckName, connection: ConnectionReply): Html {
  const state = connection.checks[name]
  const word = name === 'webhook' && state === 'unknown' ? 'none received yet' : STATE_WORDS[state]
  return html`
    <li class="is-${state === 'unknown' ? 'off' : state}">
      ${icon(SIGNS[state])}
      <span>${labelOf(name, connection)}</span>
      <span class="sr-only">: ${word}</span>
    </li>
  `
}

function labelOf(name: CheckName, { publishedBranch }: ConnectionReply): string {
  switch (name) {
    case 'reachable':
      return 'Reachable'
    case 'access':
      return 'Access'
    case 'branch':
      return publishedBranch === null ? 'Branch' : `Branch ${publishedBranch}`
    case 'docsJson':
      return 'docs.json'
    case 'webhook':
      return 'Webhook'
  }
}

type Found = { readonly bad: CheckName; readonly deliveries: Deliveries }

function explanation(
  screen: ProjectScreen,
  connection: ConnectionReply,
  { bad, deliveries }: Found,
): Html {
  const { problem, said } = connection
  const [newest] = deliveries
  const text =
    bad === 'webhook' ? `The newest webhook was refused. ${newest?.reason ?? ''}` : problem
  return html`
    <div class="check-bad">
      <h3 class="is-bad">${icon('x-circle')}${labelOf(bad, connection)}</h3>
      <div class="stack">
        <p>${text}</p>
        ${bad !== 'webhook' && said !== null && codeSample('git-said', said)}
        ${bad === 'access' && deployKey(connection)}
        ${
          bad !== 'webhook' &&
          html`<div class="actions">${checkButton(screen, 'small primary')}${repair(bad, connection)}</div>`
        }
      </div>
    </div>
  `
}

function deployKey({ deployKey: key }: ConnectionReply): HtmlPart {
  if (key === undefined) return undefined
  return html`
    <p>
      <b>Add this key again</b> in the settings of the repository, under <b>Deploy keys</b>. Do not
      allow write access.
    </p>
    ${codeSample('deploy-key', key)}
  `
}

function repair(bad: CheckName, { credential }: ConnectionReply): HtmlPart {
  const takesToken = credential === 'none' || credential === 'token'
  const label = bad === 'access' && takesToken ? 'Enter a token' : REPAIRS[bad]
  return label !== undefined && html`<a class="button small quiet" href="#change">${label}</a>`
}

const REPAIRS: Readonly<Partial<Record<CheckName, string>>> = {
  reachable: 'Change the URL',
  branch: 'Choose a branch',
  docsJson: 'Change the folder',
}

export function checkButton({ visit, path }: ProjectScreen, look = ''): Html {
  return postButton({
    action: path('connection/check'),
    token: visit.formToken,
    look,
    label: html`${icon('redo')}Check now`,
  })
}
