/** `/projects/:id/connection`: the repository that the site is built from. */
import { type Html, type HtmlPart, html } from '@octavo/theme'
import { apiPaths } from '../api-paths.ts'
import { ANY_REPLY, findApi, sendApi } from '../call-api.ts'
import { LooseReply } from '../loose-reply.ts'
import { card, emptyState, factList, pageHead } from '../parts/card.ts'
import { codeSample, curlCommand, sameWithoutThisPage } from '../parts/code-sample.ts'
import { postButton } from '../parts/form.ts'
import { projectPage } from '../parts/frame.ts'
import { icon } from '../parts/icon.ts'
import { webLink } from '../parts/link.ts'
import { notice } from '../parts/notice.ts'
import { BAD, GOOD, OFF, stateTag, WARNING } from '../parts/state.ts'
import { timeTag } from '../parts/time.ts'
import type { ProjectScreen } from '../screen.ts'

export async function showConnection(screen: ProjectScreen, tested?: HtmlPart): Promise<Response> {
  const { visit, project, options } = screen
  const path = apiPaths.project(project.id, '/connection')
  const reply = await findApi(visit.api, ANY_REPLY, path)
  const connection = new LooseReply(reply)
  const found = connection.has('connection') ? connection.part('connection') : connection
  const isConnected = found.text('url', 'cloneUrl', 'repository') !== undefined
  const deliveries = isConnected
    ? await findApi(visit.api, ANY_REPLY, apiPaths.project(project.id, '/connection/deliveries'))
    : undefined
  const content = isConnected
    ? html`${connected(screen, found)}${deliveriesCard(screen, new LooseReply(deliveries))}`
    : notConnected(screen)
  return projectPage(screen, {
    section: 'connection',
    title: 'Git connection',
    body: html`${pageHead({ title: 'Git connection', lead: 'Every push is built and published, and every pull request gets a preview.' })}${tested}${content}${sameWithoutThisPage(curlCommand({ url: options.url, path }), `octavo-service connection test ${project.id}`)}`,
  })
}

export async function testConnection(screen: ProjectScreen): Promise<Response> {
  const sent = await sendApi(screen.visit.api, ANY_REPLY, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/connection/test'),
  })
  if (!sent.ok)
    return showConnection(
      screen,
      notice({ tone: 'bad', title: 'The test failed.', text: sent.problem.detail }),
    )
  const reply = new LooseReply(sent.data)
  const failure = reply.text('error', 'problem', 'reason')
  const isFine = reply.flag('ok') ?? failure === undefined
  const text = failure ?? reply.text('detail', 'message') ?? 'The repository can be read.'
  return showConnection(
    screen,
    isFine
      ? notice({ tone: 'good', title: 'The connection works.', text })
      : notice({ tone: 'bad', title: 'The test failed.', text }),
  )
}

function notConnected({ project, options }: ProjectScreen): Html {
  return card({
    title: 'No repository',
    isFlush: true,
    body: emptyState(
      'Connect a repository',
      'The operator of the service runs this command. It prints the address and the secret of a webhook for the Git host.',
      html`<div class="stack">${codeSample('connect', `octavo-service connection add ${project.id} --url https://github.com/owner/docs`)}<p class="hint">Or deploy from CI without a connection: <code>octavo deploy --service ${options.url} --project ${project.id}</code></p></div>`,
    ),
  })
}

function connected({ visit, path, now }: ProjectScreen, found: LooseReply): Html {
  const url = found.text('url', 'cloneUrl', 'repository') ?? ''
  const problem = found.text('problem', 'error', 'lastError')
  const checked = found.text('checkedAt', 'lastCheckedAt')
  const folder = found.text('folder')
  const flag = (name: string) => (found.flag(name) === false ? 'No' : 'Yes')
  const test = postButton({
    action: path('connection/test'),
    token: visit.formToken,
    label: html`${icon('redo')}Test the connection`,
  })
  return card({
    title: 'Repository',
    aside: stateTag(problem === undefined ? GOOD('Connected') : BAD('Does not work')),
    body: html`${problem !== undefined && notice({ tone: 'bad', text: problem })}${factList([
      ['Repository', webLink(url, url)],
      ['Host', found.text('provider') ?? '–'],
      ['Branch', found.text('branch') ?? 'the default branch'],
      folder === undefined ? undefined : ['Folder', html`<code>${folder}</code>`],
      found.has('previews') ? ['Previews of pull requests', flag('previews')] : undefined,
      found.has('forks') ? ['Also of forks', flag('forks')] : undefined,
      checked === undefined ? undefined : ['Last checked', timeTag(checked, now)],
    ])}`,
    foot: html`<span>Webhooks are hints: the repository is checked anyway.</span><div class="end">${test}</div>`,
  })
}

function deliveriesCard({ now }: ProjectScreen, reply: LooseReply): Html {
  const deliveries = reply.list('deliveries')
  const rows = deliveries.map((delivery) => {
    const at = delivery.text('at', 'receivedAt', 'createdAt')
    const reason = delivery.text('reason', 'error')
    return html`<tr><td>${outcome(delivery)}</td><th scope="row"><span class="main">${delivery.text('event') ?? 'Webhook'}</span> <span class="sub">${delivery.text('ref', 'branch')} ${reason}</span></th><td class="end muted">${at !== undefined && timeTag(at, now)}</td></tr>`
  })
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
        : html`<table><caption class="sr-only">Webhooks</caption><thead><tr><th scope="col">Result</th><th scope="col">Event</th><th scope="col" class="end">When</th></tr></thead><tbody>${rows}</tbody></table>`,
  })
}

function outcome(delivery: LooseReply): Html {
  const result = delivery.text('result', 'state', 'outcome') ?? ''
  const status = delivery.number('status')
  if (result === 'refused' || (status !== undefined && status >= 400))
    return stateTag(WARNING('Refused'))
  return result === 'ignored' || result === 'duplicate'
    ? stateTag(OFF(result === 'ignored' ? 'Ignored' : 'Duplicate'))
    : stateTag(GOOD('Accepted'))
}
