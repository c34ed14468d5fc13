/** `/projects/:id/domains`: custom domains, five checks for each, and the DNS records to create. */
import { counterpartOf, DOMAIN_CHECK_NAMES, Domain, DomainList } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { copyButton, curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postButton, postForm, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { webLink } from '../../parts/link.ts'
import { problemNotice } from '../../parts/notice.ts'
import { BAD, GOOD, type State, stateTag, WARNING } from '../../parts/state.ts'
import { type Row, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, type FormProblem, generalError, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'

type DomainCheck = Domain['checks']['claimed']

type Shown = {
  readonly attempt?: Attempt
  /** The problem with a check or redirect button, whose form has no field to show it. */
  readonly problem?: FormProblem
}

const LEAD = 'Serve the site at your domain, such as docs.example.com.'

export const domainsPath = ({ project }: ProjectScreen, name?: string, verb = '') =>
  apiPaths.project(
    project.id,
    name === undefined ? '/domains' : `/domains/${encodeURIComponent(name)}${verb}`,
  )

export async function showDomains(
  screen: ProjectScreen,
  { attempt, problem }: Shown = {},
): Promise<Response> {
  const { visit, project, options } = screen
  const { domains } = await readApi(visit.api, DomainList, domainsPath(screen))
  const [first] = domains
  const name = first?.name ?? 'docs.example.com'
  const cards =
    first === undefined
      ? card({
          title: 'Custom domains',
          isFlush: true,
          body: emptyState(
            'No custom domains yet',
            'The site is served at an address on this service. Add a domain below, then create the DNS records that appear here.',
          ),
        })
      : domains.map((one, index) => domainCard(screen, one, { domains, id: `domain-${index}` }))
  const same = [
    first === undefined
      ? curlCommand({ url: options.url, method: 'POST', path: domainsPath(screen), body: { name } })
      : curlCommand({
          url: options.url,
          method: 'POST',
          path: domainsPath(screen, name, '/check'),
        }),
    `octavo domain ${first === undefined ? 'add' : 'check'} ${name} --service ${options.url} --project ${project.id}`,
  ]
  return projectPage(screen, {
    section: 'domains',
    title: 'Custom domains',
    status: (attempt?.problem ?? problem)?.status ?? 200,
    body: html`
      ${pageHead({ title: 'Custom domains', lead: LEAD })}
      ${problemNotice(problem?.detail)}
      ${cards}
      ${domainForm(screen, attempt)}
      ${equivalentCommands(...same)}
    `,
  })
}

export async function addDomain(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, Domain, {
    method: 'POST',
    path: domainsPath(screen),
    body: { name: formValue(form, 'name') },
  })
  if (!sent.ok) return showDomains(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('domains'))
}

export async function checkDomain(screen: ProjectScreen, name: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, Domain, {
    method: 'POST',
    path: domainsPath(screen, name, '/check'),
  })
  return sent.ok ? redirect(screen.path('domains')) : showDomains(screen, { problem: sent.problem })
}

export async function redirectDomain(
  screen: ProjectScreen,
  form: Form,
  name: string,
): Promise<Response> {
  const sent = await sendApi(screen.visit.api, Domain, {
    method: 'PUT',
    path: domainsPath(screen, name),
    body: { redirects: formValue(form, 'redirects') === 'on' },
  })
  return sent.ok ? redirect(screen.path('domains')) : showDomains(screen, { problem: sent.problem })
}

function domainForm({ visit, path }: ProjectScreen, attempt: Attempt | undefined): Html {
  const { form, problem } = attempt ?? {}
  const field = textField({
    name: 'name',
    label: 'Domain',
    className: 'width-l',
    value: formValue(form, 'name'),
    placeholder: 'docs.example.com',
    isRequired: true,
    maxLength: 500,
    error: errorOf(problem, 'name'),
    hint: 'Add www.example.com and example.com separately.',
  })
  const body = html`
    <div class="card-head"><h2>Add a domain</h2></div>
    <div class="card-body stack">${problemNotice(generalError(problem, ['name']))}${field}</div>
    <div class="card-foot">
      <span>A DNS record will prove that you own the domain.</span>
      <button class="button primary end">Add domain</button>
    </div>
  `
  return postForm({ action: path('domains'), token: visit.formToken, className: 'card', body })
}

type Place = { readonly domains: readonly Domain[]; readonly id: string }

function domainCard(screen: ProjectScreen, domain: Domain, { domains, id }: Place): Html {
  const { visit, path } = screen
  const { name, state, checks, redirects } = domain
  const at = (verb: string) => path(`domains/${encodeURIComponent(name)}/${verb}`)
  const counterpart = counterpartOf(name)
  const canRedirect = domains.some((one) => one.name === counterpart && !one.redirects)
  const change =
    (redirects || canRedirect) &&
    postButton({
      action: at('redirect'),
      token: visit.formToken,
      fields: { redirects: redirects ? 'off' : 'on' },
      label: redirects ? 'Stop redirecting' : `Redirect to ${counterpart}`,
    })
  const check = postButton({
    action: at('check'),
    token: visit.formToken,
    label: html`${icon('redo')}Check now`,
  })
  const isServed = state === 'active' || state === 'missing'
  return card({
    title: isServed ? webLink(`https://${name}/`, name) : name,
    aside: stateTag(domainState(domain)),
    isFlush: true,
    id,
    body: html`
      <div class="card-body stack">
        ${stateSentence(screen, domain)}
        <ul class="domain-checks" role="list">${DOMAIN_CHECK_NAMES.map((key) => checkLine(screen, checks[key]))}</ul>
      </div>
      ${recordTable(domain, id)}
    `,
    foot: html`
      <a class="button danger" href="${at('remove')}">Remove…</a>
      <div class="actions end">${change}${check}</div>
    `,
  })
}

function domainState({ state, redirects }: Domain): State {
  switch (state) {
    case 'active':
      return GOOD(redirects ? 'Redirects' : 'Served')
    case 'missing':
      return WARNING('Record missing')
    case 'waiting':
      return { word: 'Waiting for DNS', tone: 'busy', sign: 'dashed' }
    case 'lapsed':
      return BAD('Not served')
    case 'lost':
      return BAD('Lost')
  }
}

function stateSentence({ now }: ProjectScreen, domain: Domain): HtmlPart {
  const { state, servedUntil, redirects, name } = domain
  switch (state) {
    case 'active':
      return redirects && html`<p>Readers are redirected to <b>${counterpartOf(name)}</b>.</p>`
    case 'missing':
      return html`
        <p>
          The TXT record is missing. The site is served
          until ${servedUntil === null ? 'soon' : timeTag(servedUntil, now)}; add the record again before
          that.
        </p>
      `
    case 'waiting':
      return html`<p>Add these records at your DNS provider. They are checked every 15 minutes.</p>`
    case 'lapsed':
      return html`
        <p>
          The TXT record was missing for 7 days, so the site is no longer served here. Add the record again,
          then select “Check now”.
        </p>
      `
    case 'lost':
      return html`<p>Another organization proved ownership of the domain while your TXT record was missing.</p>`
  }
}

const CHECK_ICONS = {
  ok: { tone: 'good', sign: 'check-circle', word: 'done' },
  waiting: { tone: 'busy', sign: 'dashed', word: 'waiting' },
  problem: { tone: 'bad', sign: 'x-circle', word: 'problem' },
} as const

function checkLine(
  { now }: ProjectScreen,
  { label, state, seen, from, at, hint }: DomainCheck,
): Html {
  const { tone, sign, word } = CHECK_ICONS[state]
  const source =
    from !== '' &&
    at !== null &&
    html`<p class="check-source">Seen from ${from}, ${timeTag(at, now)}</p>`
  return html`
    <li class="is-${tone}">
      ${icon(sign)}
      <div>
        <p>
          <b>${label}</b>
          <span class="sr-only">: ${word}</span> <span class="check-seen">${seen}</span>
        </p>
        ${hint !== '' && html`<p class="check-hint">${hint}</p>`}
        ${source}
      </div>
    </li>
  `
}

function recordTable({ name, record, target }: Domain, id: string): Html {
  const copied = (part: string, text: string) =>
    html`<span class="id"><span id="${id}-${part}">${text}</span>${copyButton(`${id}-${part}`, `Copy ${text}`)}</span>`
  const row = (type: string, key: string, texts: readonly [name: string, value: string]): Row => ({
    cells: [
      { content: type, isLead: true },
      { content: copied(`${key}-name`, texts[0]), label: 'Name', className: 'whole' },
      { content: copied(`${key}-value`, texts[1]), label: 'Value', className: 'whole' },
    ],
  })
  return table({
    caption: `DNS records of ${name}`,
    columns: [{ label: 'DNS record' }, { label: 'Name' }, { label: 'Value' }],
    rows: [
      row(record.type, 'txt', [record.name, record.value]),
      ...(target === '' ? [] : [row('CNAME', 'cname', [name, target])]),
    ],
    className: 'records',
  })
}
