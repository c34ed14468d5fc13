/** The top of the overview: a failed build, and the deployment that readers see. */
import type { Deployment, DeploymentDiff, Overview } from '@octavo/contract'
import { branchTag, commitTag, person } from '../../parts/card.ts'
import { postButton } from '../../parts/form.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { hostOf, siteButton, webLink } from '../../parts/link.ts'
import { notice } from '../../parts/notice.ts'
import { countOf } from '../../parts/number.ts'
import { deploymentState, stateTag } from '../../parts/state.ts'
import { spanTag, timeTag } from '../../parts/time.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { changeCounts, deploymentName } from '../deployments/rows.ts'

type FailedBuild = NonNullable<Overview['failedBuild']>

/** Renders the last failed build. It is shown until a newer build of the live branch succeeds. */
export function failedBuildNotice(
  { site, path, now, may, visit }: ProjectScreen,
  build: FailedBuild | null,
): HtmlPart {
  if (build === null) return undefined
  const { id, number, message, author, errors, problems, reason } = build
  const href = path(`builds/${id}`)
  const [subject = ''] = (message ?? '').split('\n')
  const rest = errors - problems.length
  const what = problems.length > 0 || reason === undefined ? undefined : html`: ${reason}`
  const list =
    problems.length > 0 &&
    html`
      <ul class="problem-list">
        ${problems.map(
          ({ file, line, message: text }) =>
            html`<li><a href="${href}"><b>${file}${line !== undefined && `:${line}`}</b></a> ${withCode(text)}</li>`,
        )}
        ${rest > 0 && html`<li><a href="${href}">and ${countOf(rest, 'more error')}</a></li>`}
      </ul>
    `
  const again =
    may('deploy:write') &&
    postButton({
      action: path(`builds/${id}/retry`),
      token: visit.formToken,
      label: html`${icon('redo')}Build again`,
      look: 'small',
    })
  return notice({
    tone: 'bad',
    title: html`The last build failed ${timeTag(build.finishedAt, now)}. ${
      site.liveNumber === null
        ? 'No deployment is live yet.'
        : html`Readers still see <a href="${path(`deployments/${site.live}`)}">#${site.liveNumber}</a>.`
    }`,
    text: html`
      #${number} ${subject !== '' && `“${subject}”`}${author !== undefined && ` by ${author}`}${what}
      ${list}
    `,
    actions: html`<a class="button small" href="${href}">See the log</a>${again}`,
  })
}

/** Renders text between backticks as code. */
const withCode = (text: string): readonly HtmlPart[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

export type LiveFacts = {
  readonly live: Deployment | undefined
  readonly previous: Overview['previous']
  readonly diff: DeploymentDiff | undefined
}

export function liveCard(screen: ProjectScreen, facts: LiveFacts): Html {
  const { site, path, now, may } = screen
  const { live } = facts
  const host = site.url && webLink(site.url, hostOf(site.url))
  if (site.live === null || live === undefined)
    return html`
      <section class="card" aria-label="Live deployment">
        <div class="live">
          <div>
            <div class="where">
              ${stateTag({ word: 'No live deployment', tone: 'off', sign: 'ring' }, true)}
              ${host}
            </div>
            <p class="hint">Publish one of the finished deployments below.</p>
          </div>
        </div>
        ${lockedFoot(screen)}
      </section>
    `
  const details = path(`deployments/${site.live}`)
  const rollBack =
    may('deploy:write') &&
    html`<a class="button" href="${path('deployments')}">${icon('undo')}Roll back…</a>`
  return html`
    <section class="card" aria-label="Live deployment">
      <div class="live">
        <div>
          <div class="where">
            ${stateTag(deploymentState(live), true)}
            ${host}
          </div>
          <h2><a href="${details}">${deploymentName(live)}</a></h2>
          <div class="sub">
            <span>#${live.number}</span>
            ${commitTag(live.commit)}
            ${branchTag(live.branch)}
            ${live.author !== undefined && person(live.author)}
            ${live.publishedAt !== undefined && html`<span>live for ${spanTag(live.publishedAt, now)}</span>`}
          </div>
        </div>
        <div class="actions">${siteButton(site.url, 'View site')}${rollBack}</div>
      </div>
      <div class="card-foot">
        ${live.files !== undefined && html`<span>${countOf(live.files, 'file')}</span>`}
        ${changes(facts)}
        ${site.lockReason !== null && lockTag()}
        <a class="link end" href="${details}">Details</a>
      </div>
    </section>
  `
}

function changes({ previous, diff }: LiveFacts): HtmlPart {
  if (previous === null) return html`<span>The first deployment</span>`
  if (diff === undefined) return undefined
  return html`<span>Pages ${changeCounts(diff)} since #${previous.number}</span>`
}

const lockTag = () => html`<span class="state is-held">${icon('lock')}Publishing is locked</span>`

const lockedFoot = ({ site }: ProjectScreen): HtmlPart =>
  site.lockReason !== null && html`<div class="card-foot">${lockTag()}</div>`
