/** `/projects/:id/settings`: settings that can be changed here, and where to change others. */
import { ProjectSettingsReply } from '@octavo/contract'
import { card, factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { checkbox, postForm, textField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, html } from '../../parts/html.ts'
import { hostOf, webLink } from '../../parts/link.ts'
import { problemNotice, savedNotice } from '../../parts/notice.ts'
import { actionRow, dangerZone } from '../../parts/settings-row.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, generalError, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'

const FIELDS = ['name', 'slug', 'retentionDays', 'playgroundProxy']

export async function showSettings(screen: ProjectScreen, attempt?: Attempt): Promise<Response> {
  const { visit, project, options, url } = screen
  const path = apiPaths.project(project.id, '/settings')
  const settings = await readApi(visit.api, ProjectSettingsReply, path)
  const saved = savedNotice(url, attempt, 'The settings were saved.')
  const shorter = settings.retentionDays > 1 ? settings.retentionDays : 30
  return projectPage(screen, {
    section: 'settings',
    title: 'Settings',
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: 'Settings',
        lead: html`Everything about the look of the site is in <code>docs.json</code>, in your repository.`,
      })}
      ${saved}
      ${settingsForm(screen, settings, attempt)}
      ${elsewhere(screen, settings)}
      ${dangerCard(screen, settings)}
      ${equivalentCommands(
        curlCommand({ url: options.url, method: 'PUT', path, body: { retentionDays: shorter } }),
        `octavo-service project set ${project.id} --retention ${shorter}`,
      )}
    `,
  })
}

export async function saveSettings(screen: ProjectScreen, form: Form): Promise<Response> {
  const days = formValue(form, 'retentionDays')
  const sent = await sendApi(screen.visit.api, ProjectSettingsReply, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/settings'),
    body: {
      name: formValue(form, 'name'),
      slug: formValue(form, 'slug') || undefined,
      retentionDays: days === '' ? undefined : Number(days),
      playgroundProxy: form.has('playgroundProxy'),
    },
  })
  if (!sent.ok) return showSettings(screen, { form, problem: sent.problem })
  return redirect(screen.path('settings?saved'))
}

function settingsForm(
  { visit, path }: ProjectScreen,
  settings: ProjectSettingsReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const isProxied = form === undefined ? settings.playgroundProxy : form.has('playgroundProxy')
  const body = html`
    <div class="card-head"><h2>Project</h2></div>
    <div class="card-body stack">
      ${problemNotice(generalError(problem, FIELDS))}
      <div class="form-grid">
        ${textField({
          name: 'name',
          label: 'Name',
          value: form === undefined ? settings.name : formValue(form, 'name'),
          isRequired: true,
          maxLength: 200,
          error: errorOf(problem, 'name'),
        })}
        ${textField({
          name: 'slug',
          label: 'Short name',
          value: form === undefined ? settings.slug : formValue(form, 'slug'),
          isRequired: true,
          maxLength: 50,
          error: errorOf(problem, 'slug'),
          hint: 'A part of the address of the site. Readers of the old address are sent to the new one, and no other project can take it.',
        })}
        ${textField({
          name: 'retentionDays',
          label: 'Keep conversations for (days)',
          type: 'number',
          min: 1,
          max: 3_660,
          value:
            form === undefined ? String(settings.retentionDays) : formValue(form, 'retentionDays'),
          isRequired: true,
          error: errorOf(problem, 'retentionDays'),
          hint: 'Older ones are deleted once a day. A smaller number deletes more the next time, and that cannot be undone.',
        })}
      </div>
      ${checkbox({
        name: 'playgroundProxy',
        value: 'on',
        label: 'API playgrounds send requests through the host',
        hint: 'For APIs that do not allow requests from other origins.',
        isChecked: isProxied,
      })}
    </div>
    <div class="card-foot">
      <button class="button primary end">Save</button>
    </div>
  `
  return postForm({ action: path('settings'), token: visit.formToken, className: 'card', body })
}

/** Renders settings that only the operator can change, with the command. */
function elsewhere({ site }: ProjectScreen, settings: ProjectSettingsReply): Html {
  const { webhook, webhookFormat, trust } = settings
  return card({
    title: 'Set by the operator',
    aside: html`With <code>octavo-service project set</code>`,
    body: factList([
      ['Project id', html`<code>${settings.id}</code>`],
      [
        'Site',
        site.url === undefined
          ? 'This service hosts no sites'
          : webLink(site.url, hostOf(site.url)),
      ],
      ['Webhook', webhook ?? html`None. <code>--webhook</code> sets one.`],
      webhook === undefined ? undefined : ['Format of the webhook', webhookFormat ?? 'standard'],
      [
        'CI jobs that may deploy without a key',
        trust.length === 0
          ? html`None. <code>--trust</code> names repositories.`
          : trust.map((one) => html`<div><code>${one}</code></div>`),
      ],
    ]),
  })
}

/** Renders links to actions that have a page of their own, which explains them. */
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
            text: 'The site is online again, as it was.',
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
    text: 'The site goes offline at once. Its conversations, keys and deployments are deleted after 7 days.',
    action: html`<a class="button danger" href="${path('delete')}">Delete…</a>`,
  }),
]
