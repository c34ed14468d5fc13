/** Shows the secrets of a new connection, only once. */
import type { CreatedConnection } from '@octavo/contract'
import { cardHead, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands, shellWord } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { notice } from '../../parts/notice.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { checkButton } from './checks.ts'

export function showCreatedConnection(screen: ProjectScreen, created: CreatedConnection): Response {
  const { path } = screen
  const { webhook, deployKey, url } = created
  const { title, lead } = describeStart(created)
  return projectPage(screen, {
    section: 'connection',
    title,
    status: 201,
    body: html`
      ${pageHead({
        title,
        lead: html`${url}. ${lead}`,
        back: { href: path('connection'), label: 'Git connection' },
      })}
      ${deployKeyCard(screen, deployKey)}
      ${webhookCard(screen, webhook)}
      ${sameCommands(screen, created)}
    `,
  })
}

/** Only a repository that was read is called connected. */
function describeStart({ deployKey, checkedAt }: CreatedConnection) {
  if (checkedAt !== null)
    return { title: 'Repository connected', lead: 'It was read, and the first build begins now.' }
  return deployKey === undefined
    ? { title: 'Repository saved', lead: 'It is read now, and then built.' }
    : { title: 'Add the deploy key', lead: 'The repository can be read once it has the key.' }
}

const OPTIONS: Readonly<Record<CreatedConnection['credential'], string>> = {
  none: '',
  token: ' --token-file token.txt',
  'ssh-key': ' --ssh-key',
  'github-app': ' --github-app',
}

/** API keys cannot connect a repository of the GitHub App. */
function sameCommands({ project, options }: ProjectScreen, created: CreatedConnection): Html {
  const { url, credential } = created
  const command = `octavo-service connection add ${project.id} --url ${shellWord(url)}${OPTIONS[credential]}`
  if (credential === 'github-app') return equivalentCommands(command)
  const path = apiPaths.project(project.id, '/connection')
  const body = { url, credential, ...(credential === 'token' && { token: '…' }) }
  return equivalentCommands(curlCommand({ url: options.url, method: 'POST', path, body }), command)
}

function deployKeyCard(screen: ProjectScreen, key: string | undefined): HtmlPart {
  if (key === undefined) return undefined
  return html`
    <section class="card">
      ${cardHead('Deploy key', 'For reading only')}
      <div class="card-body stack">
        <p>
          Add it to the repository, without write access. On GitHub it is under Settings → Deploy keys, on
          GitLab under Settings → Repository → Deploy keys.
        </p>
        ${copyField({ id: 'deploy-key', label: 'Deploy key', value: key, action: 'Copy the deploy key' })}
      </div>
      <div class="card-foot">
        <span>Copy the secret of the webhook below first. Then check, and the first build begins.</span>
        <div class="actions end">${checkButton(screen)}</div>
      </div>
    </section>
  `
}

function webhookCard(screen: ProjectScreen, webhook: CreatedConnection['webhook']): Html {
  const done = html`<a class="button end" href="${screen.path('connection')}">Done</a>`
  if (webhook === undefined)
    return html`
      <section class="card">
        ${cardHead('Webhook')}
        <div class="card-body">
          <p>There is nothing to set up: the webhook of the GitHub App reports pushes.</p>
        </div>
        <div class="card-foot">${done}</div>
      </section>
    `
  const steps = webhook.steps.map((step) => html`<li>${step}</li>`)
  return html`
    <section class="card">
      ${cardHead('Webhook', 'Optional: pushes are then built at once')}
      <div class="card-body stack">
        ${notice({
          tone: 'warning',
          sign: 'eye-off',
          title: 'Copy the secret now. It is shown only once.',
          text: 'If it is lost, disconnect the repository and connect it again.',
        })}
        ${copyField({ id: 'webhook-url', label: 'Address', value: webhook.url, action: 'Copy the address' })}
        ${copyField({
          id: 'webhook-secret',
          label: 'Secret',
          value: webhook.secret,
          action: 'Copy the secret',
        })}
        <ul>${steps}</ul>
      </div>
      <div class="card-foot"><span>Without it, new commits are found about every 5 minutes.</span>${done}</div>
    </section>
  `
}

type CopyField = {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly action: string
}

function copyField({ id, label, value, action }: CopyField): Html {
  return html`
    <div class="field">
      <label for="${id}">${label}</label>
      <div class="secret">
        <input id="${id}" value="${value}" readonly autocomplete="off" spellcheck="false">
        <button class="button" type="button" hidden data-copy="${id}">
          ${icon('copy')}
          <span>${action}</span>
        </button>
      </div>
    </div>
  `
}
