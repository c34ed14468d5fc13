/** `/projects/:id/builds/:id`: one build from Git, with its diagnostics and its log. */
import { Build, BuildDiagnostics, BuildLogLine } from '@octavo/contract'
import { card, commitTag, factColumns, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postButton } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { notice } from '../../parts/notice.ts'
import { diagnosticsReport } from '../../parts/report.ts'
import { buildState, isRunning, type State, stateTag } from '../../parts/state.ts'
import { durationText, timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi, NO_REPLY, readApi, readProblem, sendApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { buildTitle, triggerWords } from './rows.ts'

const NDJSON = 'application/x-ndjson'
const LOG_BYTES_MAX = 2_000_000

export async function showBuild(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const { visit, project, options, path, now } = screen
  const one = `/builds/${encodeURIComponent(id)}`
  const at = (rest: string) => apiPaths.project(project.id, `${one}${rest}`)
  const [build, diagnostics, log] = await Promise.all([
    readApi(visit.api, Build, at('')),
    findApi(visit.api, BuildDiagnostics, at('/diagnostics')),
    readLog(screen, `${one}/log`),
  ])
  const title = buildTitle(build)
  const isOpen = isRunning(build)
  const ended = build.finishedAt ?? new Date(now).toISOString()
  const state: State = buildState(build)
  const since = build.startedAt === undefined ? '' : ` for ${durationText(build.startedAt, ended)}`
  const body = html`
    ${pageHead({
      title,
      back: { href: path('builds'), label: 'Builds' },
      state: stateTag(isOpen ? { ...state, word: `${state.word}${since}` } : state, true),
      actions: actions(screen, build),
    })}
    ${problem !== undefined && notice({ tone: 'bad', text: problem })}
    ${
      build.reason !== undefined &&
      !isOpen &&
      notice({
        tone: build.state === 'failed' ? 'bad' : 'held',
        text: build.reason,
        sign: build.state === 'failed' ? 'x-circle' : 'alert-circle',
      })
    }
    ${
      build.notifyError !== undefined &&
      notice({
        tone: 'warning',
        title: 'The build status could not be reported to the Git host.',
        text: build.notifyError,
      })
    }
    <section class="card">
      <div class="card-body">${facts(screen, build)}</div>
      ${steps(build)}
    </section>
    ${diagnostics !== undefined && problems(diagnostics)}
    ${logCard(screen, { build, log })}
    ${equivalentCommands(
      curlCommand({ url: options.url, path: at('/log'), accept: NDJSON }),
      `octavo builds show ${id} --service ${options.url} --project ${project.id}\noctavo builds log ${id} --follow --service ${options.url} --project ${project.id}`,
    )}
  `
  return projectPage(screen, {
    section: 'deployments',
    title,
    body,
    refreshSeconds: isOpen ? 5 : undefined,
    status: problem === undefined ? 200 : 409,
  })
}

export async function changeBuild(
  screen: ProjectScreen,
  id: string,
  kind: 'cancel' | 'retry',
): Promise<Response> {
  const sent = await sendApi(screen.visit.api, kind === 'retry' ? Build : NO_REPLY, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, `/builds/${encodeURIComponent(id)}/${kind}`),
  })
  if (!sent.ok) return showBuild(screen, id, sent.problem.detail)
  const next = kind === 'retry' ? Build.parse(sent.data).id : id
  return redirect(screen.path(`builds/${next}`))
}

/** Streams the log from the API to the page's script. */
export async function streamLog(screen: ProjectScreen, id: string): Promise<Response> {
  const after = screen.url.searchParams.get('after') ?? undefined
  const path = apiPaths.project(screen.project.id, `/builds/${encodeURIComponent(id)}/log`, {
    after,
  })
  const reply = await screen.visit.api('GET', path, { accept: NDJSON })
  return new Response(reply.body, {
    status: reply.status,
    headers: {
      'content-type': reply.headers.get('content-type') ?? NDJSON,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

async function readLog({ visit, project }: ProjectScreen, log: string) {
  const path = apiPaths.project(project.id, log, { follow: 'false' })
  const reply = await visit.api('GET', path, { accept: NDJSON })
  if (!reply.ok) {
    await readProblem(reply)
    return []
  }
  const text = (await reply.text()).slice(0, LOG_BYTES_MAX)
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [BuildLogLine.parse(JSON.parse(line))]
    } catch {
      return []
    }
  })
}

function actions({ may, visit, path }: ProjectScreen, build: Build): HtmlPart {
  const token = visit.formToken
  const deployment =
    build.deployment !== undefined &&
    html`<a class="button" href="${path(`deployments/${build.deployment}`)}">${icon('rocket')}Deployment</a>`
  if (!may('deploy:write')) return deployment
  const cancel =
    isRunning(build) &&
    postButton({
      action: path(`builds/${build.id}/cancel`),
      token,
      look: 'danger',
      label: html`${icon('x')}Cancel the build`,
    })
  const retry =
    (build.state === 'failed' || build.state === 'cancelled') &&
    postButton({
      action: path(`builds/${build.id}/retry`),
      token,
      label: html`${icon('redo')}Build again`,
    })
  return html`${deployment}${retry}${cancel}`
}

function facts({ now }: ProjectScreen, build: Build): Html {
  const { number, commit, ref, author, pullRequest, createdAt, fork } = build
  return factColumns([
    ['Number', `#${number}`],
    ['Commit', commitTag(commit)],
    [
      'Branch',
      `${ref}${pullRequest === undefined ? '' : `, #${pullRequest}`}${fork ? ', a fork' : ''}`,
    ],
    ['Author', author ?? '–'],
    ['Accepted', timeTag(createdAt, now)],
    ['Trigger', triggerWords(build)],
    ['For', build.target === 'preview' ? 'a preview' : 'the site'],
  ])
}

const STEPS = [
  { state: 'queued', label: 'Queued' },
  { state: 'fetching', label: 'Fetch' },
  { state: 'building', label: 'Build' },
  { state: 'uploading', label: 'Upload' },
  { state: 'finished', label: 'Done' },
] as const

function steps({ state }: Build): HtmlPart {
  const at = STEPS.findIndex((step) => step.state === state)
  if (at < 0) return undefined
  const items = STEPS.map(({ label }, index) => {
    if (index < at || state === 'finished')
      return html`<li class="is-good"><b>${icon('check-circle')}${label}</b></li>`
    if (index === at)
      return html`<li class="is-busy" aria-current="step"><b><span class="dot busy"></span>${label}</b></li>`
    return html`<li class="is-off"><b>${icon('circle')}${label}</b></li>`
  })
  return html`<ol class="steps">${items}</ol>`
}

function problems(diagnostics: BuildDiagnostics): Html {
  return card({
    title: 'Problems',
    aside: html`The same list as from <code>octavo check</code>`,
    isFlush: true,
    body: diagnosticsReport(diagnostics),
  })
}

type Log = { readonly build: Build; readonly log: readonly BuildLogLine[] }

function logCard({ path }: ProjectScreen, { build, log }: Log): Html {
  const isOpen = isRunning(build)
  const start = Date.parse(log[0]?.at ?? build.createdAt)
  const lines = log.map(
    ({ at, text }) =>
      html`
        <li>
          <time datetime="${at}">${((Date.parse(at) - start) / 1_000).toFixed(1)} s</time>
          <span>${text}</span>
        </li>
      `,
  )
  const source = path(`builds/${build.id}/log`)
  const follow =
    isOpen &&
    html` data-log="${source}" data-after="${log.at(-1)?.line ?? 0}" data-start="${start}"`
  const running = stateTag({ word: 'Running', tone: 'busy', sign: 'busy' })
  const state = isOpen
    ? html`${running} <a class="link" href="${path(`builds/${build.id}`)}">Reload</a>`
    : html`<a class="link" href="${source}" download="build-${build.number}.ndjson">Download</a>`
  return card({
    title: 'Log',
    aside: state,
    isFlush: true,
    body: html`
      <ol class="log" tabindex="0" aria-label="Log of the build"${follow}>
        ${lines.length === 0 ? html`<li class="muted"><span></span><span>No log lines yet.</span></li>` : lines}
      </ol>
    `,
  })
}
