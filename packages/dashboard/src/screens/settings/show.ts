/**
 * `/projects/:id/settings`: the settings of the service, those from docs.json, and dangerous
 * actions.
 */
import { DocsSettingsReply, ProjectSettingsReply } from '@octavo/contract'
import { cardHead, pageHead } from '../../parts/card.ts'
import { copyButton, curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postForm, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { hostOf } from '../../parts/link.ts'
import { savedNotice } from '../../parts/notice.ts'
import { actionRow, dangerZone, valueRows } from '../../parts/settings-row.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, findApi, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { cardProblem } from './card-problem.ts'
import { docsSettingsCard, readRepository } from './docs-settings.ts'
import { publishingCard, readPublishing } from './publishing.ts'
import { webhookCard } from './webhook.ts'

/** The cards that are forms; each sends only its own fields. */
type Part = 'general' | 'publishing' | 'data' | 'webhook'

const GENERAL_FIELDS = ['name', 'slug']
const DATA_FIELDS = ['retentionDays']

export type SettingsPage = {
  readonly attempt?: Attempt | undefined
  /** A result that is shown above the cards, such as a new secret. */
  readonly result?: HtmlPart
  readonly status?: number
}

export async function showSettings(
  screen: ProjectScreen,
  { attempt, result, status = 200 }: SettingsPage = {},
): Promise<Response> {
  const { visit, project, options, url } = screen
  const path = apiPaths.project(project.id, '/settings')
  const settings = await readApi(visit.api, ProjectSettingsReply, path)
  // On a service that stores no sites, `docs` is undefined.
  const docs = await findApi(
    visit.api,
    DocsSettingsReply,
    apiPaths.project(project.id, '/docs-settings'),
  )
  const repository = await readRepository(screen)
  const sent = formValue(attempt?.form, 'part') || 'general'
  const attemptOf = (part: Part) => (sent === part ? attempt : undefined)
  const shorter = settings.retentionDays > 1 ? settings.retentionDays : 30
  return projectPage(screen, {
    section: 'settings',
    title: 'Settings',
    status: attempt?.problem.status ?? status,
    body: html`
      ${pageHead({
        title: 'Settings',
        lead: html`How the service handles this project. What readers see is set in <code>docs.json</code>.`,
      })}
      ${pageLinks(docs !== undefined)}
      ${savedNotice(url, attempt, 'The settings were saved.')}
      ${result}
      ${generalCard(screen, settings, attemptOf('general'))}
      ${docs === undefined ? undefined : docsSettingsCard(docs, repository)}
      ${publishingCard(screen, { settings, docs: docs?.settings ?? [], attempt: attemptOf('publishing') })}
      ${dataCard(screen, settings, attemptOf('data'))}
      ${webhookCard(screen, settings, attemptOf('webhook'))}
      ${dangerCard(screen, settings)}
      ${equivalentCommands(
        curlCommand({ url: options.url, method: 'PUT', path, body: { retentionDays: shorter } }),
        curlCommand({ url: options.url, path: apiPaths.project(project.id, '/docs-settings') }),
        `octavo-service project set ${project.id} --retention ${shorter}`,
      )}
    `,
  })
}

/** Renders links to the cards of the page. */
function pageLinks(hasDocs: boolean): Html {
  const links = [
    ['general', 'General'],
    ...(hasDocs ? [['docs-json', 'From docs.json']] : []),
    ['publishing', 'Publishing'],
    ['data', 'Data'],
    ['webhook', 'Webhook'],
    ['danger', 'Danger zone'],
  ].map(([id, label]) => html`<a href="#${id}">${label}</a>`)
  return html`<nav class="tabs" aria-label="On this page">${links}</nav>`
}

export async function saveSettings(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, ProjectSettingsReply, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/settings'),
    body: readChange(form),
  })
  if (!sent.ok) return showSettings(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('settings?saved'))
}

function readChange(form: Form): object {
  switch (formValue(form, 'part')) {
    case 'publishing':
      return readPublishing(form)
    case 'data': {
      const days = formValue(form, 'retentionDays')
      return { retentionDays: days === '' ? undefined : Number(days) }
    }
    default:
      return { name: formValue(form, 'name'), slug: formValue(form, 'slug') || undefined }
  }
}

function generalCard(
  { visit, path, site }: ProjectScreen,
  settings: ProjectSettingsReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const domain = domainAfter(site.url, settings.slug)
  const body = html`
    ${cardHead('General')}
    ${cardProblem(attempt, GENERAL_FIELDS)}
    ${textField({
      name: 'name',
      label: 'Name',
      className: 'set',
      value: form === undefined ? settings.name : formValue(form, 'name'),
      isRequired: true,
      maxLength: 200,
      error: errorOf(problem, 'name'),
      hint: 'Shown in this dashboard and in e-mails.',
    })}
    ${textField({
      name: 'slug',
      label: 'Short name',
      className: 'set',
      value: form === undefined ? settings.slug : formValue(form, 'slug'),
      isRequired: true,
      maxLength: 50,
      ...(domain !== undefined && { unit: domain }),
      error: errorOf(problem, 'slug'),
      hint: 'Part of the site’s address if there is no custom domain. If you change it, the old address redirects, and no other project can use it.',
    })}
    ${valueRows([
      {
        name: 'Project ID',
        value: html`
          <code id="project-id">${settings.id}</code> ${copyButton('project-id', 'Copy the project ID')}
        `,
      },
    ])}
    <div class="card-foot"><button class="button primary end">Save</button></div>
  `
  return postForm({
    action: path('settings'),
    token: visit.formToken,
    fields: { part: 'general' },
    className: 'card',
    id: 'general',
    body,
  })
}

/** Returns `.sites.example.com` for a site at `plants.sites.example.com`. */
function domainAfter(url: string | undefined, slug: string): string | undefined {
  if (url === undefined) return undefined
  const host = hostOf(url)
  return host.startsWith(`${slug}.`) ? host.slice(slug.length) : undefined
}

function dataCard(
  { visit, path }: ProjectScreen,
  settings: ProjectSettingsReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const { retentionDays } = settings
  const body = html`
    ${cardHead('Data')}
    ${cardProblem(attempt, DATA_FIELDS)}
    ${textField({
      name: 'retentionDays',
      label: 'Keep conversations for',
      className: 'set short',
      type: 'number',
      min: 1,
      max: 3_660,
      unit: 'days',
      value: form === undefined ? String(retentionDays) : formValue(form, 'retentionDays'),
      isRequired: true,
      error: errorOf(problem, 'retentionDays'),
      hint: 'Older conversations are deleted every day. If you lower this number, the next cleanup deletes more conversations, which cannot be undone.',
    })}
    <div class="card-foot"><button class="button primary end">Save</button></div>
  `
  return postForm({
    action: path('settings'),
    token: visit.formToken,
    fields: { part: 'data' },
    className: 'card',
    id: 'data',
    body,
  })
}

/** Renders links to the dangerous actions. Each has a page that explains it. */
function dangerCard(
  { path, may, organization }: ProjectScreen,
  { archived }: ProjectSettingsReply,
): Html {
  const isOwner = may('project:delete')
  const note = `Only owners of ${organization.name} can transfer and delete its projects`
  return dangerZone(
    [
      archived
        ? actionRow({
            title: 'Restore the project',
            text: 'Puts the site back online, as it was.',
            action: html`<a class="button" href="${path('restore')}">Restore…</a>`,
          })
        : actionRow({
            title: 'Archive the project',
            text: 'The site goes offline. Deployments, conversations and keys are kept, and you can restore it.',
            action: html`<a class="button" href="${path('archive')}">Archive…</a>`,
          }),
      ...(isOwner ? ownerActions(path, organization.name) : []),
    ],
    isOwner ? undefined : note,
  )
}

const ownerActions = (path: ProjectScreen['path'], organization: string): readonly Html[] => [
  actionRow({
    title: 'Transfer to another organization',
    text: `Members of ${organization} lose access. The site keeps its address and its domains.`,
    action: html`<a class="button" href="${path('transfer')}">Transfer…</a>`,
  }),
  actionRow({
    title: 'Delete the project',
    text: 'The site goes offline immediately. Its conversations, keys and deployments are deleted after 7 days.',
    action: html`<a class="button danger" href="${path('delete')}">Delete…</a>`,
  }),
]
