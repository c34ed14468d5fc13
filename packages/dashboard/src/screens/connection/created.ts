/** Shows the secrets of a new connection. No later page shows them again. */
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

/** Returns the page's title and lead. Only a repository that was read is called connected. */
function describeStart({ deployKey, checkedAt }: CreatedConnection) {
  if (checkedAt !== null)
    return {
      title: 'Repository connected',
      lead: 'The repository was read, and the first build starts now.',
    }
  return deployKey === undefined
    ? {
        title: 'Repository saved',
        lead: 'The repository is being read. The first build then starts.',
      }
    : {
        title: 'Add the deploy key',
        lead: 'The service can read the repository once you have added the key.',
      }
}

const OPTIONS: Readonly<Record<CreatedConnection['credential'], string>> = {
  none: '',
  token: ' --token-file token.txt',
  'ssh-key': ' --ssh-key',
  'github-app': ' --github-app',
}

/**
 * Renders the equivalent commands. A repository of the GitHub App has no curl command, since API
 * keys cannot connect it.
 */
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
      ${cardHead('Deploy key', 'Read-only')}
      <div class="card-body stack">
        <p>
          Add the key to the repository, without write access. On GitHub, go to Settings → Deploy keys. On GitLab,
          go to Settings → Repository → Deploy keys.
        </p>
        ${copyField({ id: 'deploy-key', label: 'Deploy key', value: key, action: 'Copy the deploy key' })}
      </div>
      <div class="card-foot">
        <span>First copy the webhook secret below. Then select “Check now” to start the first build.</span>
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
          <p>You do not need to set up a webhook: the GitHub App reports pushes.</p>
        </div>
        <div class="card-foot">${done}</div>
      </section>
    `
  const steps = webhook.steps.map((step) => html`<li>${step}</li>`)
  return html`
    <section class="card">
      ${cardHead('Webhook', 'Optional: builds start immediately after a push')}
      <div class="card-body stack">
        ${notice({
          tone: 'warning',
          sign: 'eye-off',
          title: 'Copy the secret now. It is shown only once.',
          text: 'If you lose the secret, disconnect the repository and connect it again.',
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
      <div class="card-foot"><span>Without the webhook, new commits are found about every 5 minutes.</span>${done}</div>
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
