/** The table of builds, with the trigger of each. */
import type { Build } from '@octavo/contract'
import { branchTag, commitTag } from '../../parts/card.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { countOf } from '../../parts/number.ts'
import { buildState, stateTag } from '../../parts/state.ts'
import { type Row, table } from '../../parts/table.ts'
import { durationText, timeTag } from '../../parts/time.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

export function buildTable(screen: ProjectScreen, builds: readonly Build[]): Html {
  return table({
    caption: 'Builds, newest first',
    className: 'deployments',
    columns: [
      { label: 'State' },
      { label: 'Commit' },
      { label: 'Author' },
      { label: 'Trigger' },
      { label: 'Duration', isEnd: true },
      { label: 'When', isEnd: true },
    ],
    rows: builds.map((build) => buildRow(screen, build)),
  })
}

/** Returns the subject of the commit, or the build's number until the commit is fetched. */
export function buildTitle({ message = '', number }: Build): string {
  const [subject = ''] = message.split('\n')
  return subject || `Build #${number}`
}

export function triggerWords({ trigger, pullRequest }: Build): string {
  return trigger === 'webhook' && pullRequest !== undefined
    ? `Pull request #${pullRequest}`
    : TRIGGERS[trigger]
}

const TRIGGERS: Readonly<Record<Build['trigger'], string>> = {
  webhook: 'Push',
  check: 'Scheduled check',
  api: 'Build now',
  schedule: 'Specification update',
  retry: 'Retry',
}

function buildRow({ path, now }: ProjectScreen, build: Build): Row {
  const { commit, ref, author, reason, fork } = build
  return {
    cells: [
      { content: stateTag(buildState(build)), className: 'state-cell' },
      {
        isLead: true,
        content: html`
          <a class="main cut" href="${path(`builds/${build.id}`)}">${buildTitle(build)}</a>
          <div class="sub">
            <span>#${build.number}</span>
            ${commitTag(commit)}
            ${branchTag(ref)}
            ${fork && html`<span>from a fork</span>`}
            ${problemCount(build)}
            ${reason !== undefined && html`<span class="cut">${reason}</span>`}
          </div>
        `,
      },
      {
        content: author ?? '–',
        className: author === undefined ? 'author-cell wide-only' : 'author-cell',
      },
      { content: triggerWords(build), label: 'Trigger', className: 'muted' },
      {
        content:
          build.startedAt === undefined
            ? '–'
            : durationText(build.startedAt, build.finishedAt ?? new Date(now).toISOString()),
        isEnd: true,
        className: build.startedAt === undefined ? 'muted wide-only' : 'muted',
      },
      { content: timeTag(build.createdAt, now), isEnd: true, className: 'muted' },
    ],
  }
}

function problemCount({ errors, warnings }: Build): HtmlPart {
  if (errors > 0) return html`<span>${countOf(errors, 'error')}</span>`
  return warnings > 0 && html`<span>${countOf(warnings, 'warning')}</span>`
}
