/** `/projects/:id/keys`: the project id, the keys, and a form to create one. */
import { type ApiKey, ApiKeyList, CreatedApiKey } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { copyButton, curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { GOOD, OFF, type State, stateTag, WARNING } from '../../parts/state.ts'
import { pager, type Row, rowMenu, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { SCOPE_WORDS } from '../members/role-words.ts'
import { createdKeyCard, keyPrefix } from './created.ts'
import { keyForm } from './form.ts'

/** A deploy token has exactly these scopes, whichever boxes are checked in the form. */
const DEPLOY_SCOPES = ['deploy:read', 'deploy:write']
const SOON_MS = 14 * 86_400_000
const PERMISSIONS_SHOWN_MAX = 2

export async function showKeys(screen: ProjectScreen, attempt?: Attempt): Promise<Response> {
  const list = await listKeys(screen)
  const body = html`
    ${pageHead({
      title: 'API keys',
      lead: 'An API key gives your servers access to this project.',
      actions: html`<a class="button primary" href="#new">${icon('plus')}Create key</a>`,
    })}
    ${projectId(screen)}
    ${keysCard(screen, list)}
    ${keyForm(screen, attempt)}
    ${sameCommands(screen)}
  `
  return projectPage(screen, {
    section: 'keys',
    title: 'API keys',
    body,
    status: attempt === undefined ? 200 : attempt.problem.status,
  })
}

/**
 * Creates a key, which only this response shows. Submitting the same form twice creates only one
 * key.
 */
export async function createKey(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, CreatedApiKey, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/keys'),
    body: readKeyForm(form, screen.now),
    idempotencyKey: formValue(form, 'idempotency') || undefined,
  })
  if (!sent.ok) return showKeys(screen, { form, problem: sent.problem })
  return showCreatedKey(screen, sent.data)
}

export async function showCreatedKey(
  screen: ProjectScreen,
  created: CreatedApiKey,
): Promise<Response> {
  const list = await listKeys(screen)
  const body = html`
    ${pageHead({ title: 'API keys', lead: 'An API key gives your servers access to this project.' })}
    ${createdKeyCard(screen, created)}
    ${keysCard(screen, list, created.id)}
    ${sameCommands(screen)}
  `
  return projectPage(screen, { section: 'keys', title: 'Key created', body })
}

const listKeys = ({ visit, url, project }: ProjectScreen) =>
  readApi(
    visit.api,
    ApiKeyList,
    apiPaths.project(project.id, '/keys', { cursor: url.searchParams.get('cursor') ?? undefined }),
  )

function sameCommands({ options, project }: ProjectScreen): Html {
  return equivalentCommands(
    curlCommand({ url: options.url, path: apiPaths.project(project.id, '/keys') }),
    `octavo-service key list ${project.id}`,
  )
}

function readKeyForm(form: Form, now: number): object {
  const days = formValue(form, 'days')
  const kind = formValue(form, 'kind') === 'deploy' ? 'deploy' : 'admin'
  const isDays = /^\d{1,4}$/.test(days)
  return {
    name: formValue(form, 'name'),
    kind,
    scopes: kind === 'deploy' ? DEPLOY_SCOPES : form.getAll('scopes'),
    expiresAt: isDays ? new Date(now + Number(days) * 86_400_000).toISOString() : null,
    allowedFrom: formValue(form, 'allowedFrom')
      .split(/[\s,]+/)
      .filter((text) => text !== '')
      .map(asNetwork),
  }
}

/** Returns a single IP address as a network with only this address. */
function asNetwork(text: string): string {
  if (text.includes('/')) return text
  return text.includes(':') ? `${text}/128` : `${text}/32`
}

function projectId({ project }: ProjectScreen): Html {
  return html`
    <section class="card id-card">
      <div><h2>Project ID</h2><p class="hint">Every API call contains this ID. It is not a secret.</p></div>
      <span class="id">
        <span id="project-id">${project.id}</span>
        ${copyButton('project-id', 'Copy the project ID')}
      </span>
    </section>
  `
}

function keysCard(screen: ProjectScreen, { keys, nextCursor }: ApiKeyList, created?: string) {
  const working = keys.filter((key) => !isOver(key, screen.now)).length
  const ended = keys.length - working
  const list =
    keys.length === 0
      ? emptyState(
          'No keys yet',
          'Create a key to export conversations, deploy the site or close gaps from a server.',
        )
      : table({
          caption: 'API keys',
          columns: [
            ...['Key', 'Permissions', 'Created', 'Last used', 'Expires', 'Status'].map((label) => ({
              label,
            })),
            { label: 'Actions', isHidden: true },
          ],
          rows: keys.map((key) => keyRow(screen, key, { keys, created })),
        })
  return card({
    title: 'Keys',
    aside:
      keys.length > 0 && `${working} active${ended > 0 ? `, ${ended} expired or revoked` : ''}`,
    isFlush: true,
    body: html`${list}${pager(screen.url, { nextCursor })}`,
  })
}

/**
 * Renders the permissions of a key. A long list is collapsed, so that all rows have the same
 * height.
 */
function permissions({ scopes }: ApiKey): HtmlPart {
  const names = scopes.map((scope) => html`<div>${SCOPE_WORDS[scope].name}</div>`)
  if (names.length <= PERMISSIONS_SHOWN_MAX) return names
  return html`
    <details>
      <summary class="link">${names.length} permissions</summary>
      ${names}
    </details>
  `
}

const creatorOf = ({ createdBy, createdByName }: ApiKey) =>
  createdByName ?? (createdBy === 'operator' ? 'the operator' : createdBy)

type KeyPlace = { readonly keys: readonly ApiKey[]; readonly created: string | undefined }

function keyRow(screen: ProjectScreen, key: ApiKey, { keys, created }: KeyPlace): Row {
  const { now, path } = screen
  const state = keyState(key, { now, isReplaced: keys.some(({ replaces }) => replaces === key.id) })
  const old = keys.find(({ id }) => id === key.replaces)
  const tag = (text: HtmlPart) => html` <span class="tag">${text}</span>`
  const isEnded = isOver(key, now)
  return {
    className: `${key.id === created ? 'is-new' : ''}${isEnded ? 'is-over' : ''}`,
    cells: [
      {
        isLead: true,
        content: html`
          <span class="main">${key.name}</span>
          ${key.id === created && tag('new')}
          ${old && tag(`replaces …${old.lastFour}`)}
          <div class="sub">
            <span class="mono">${keyPrefix(key)}…${key.lastFour}</span>
            ${key.allowedFrom.length > 0 && html`<span>from ${key.allowedFrom.join(', ')}</span>`}
          </div>
        `,
      },
      {
        content: permissions(key),
        className: 'whole',
      },
      {
        content: html`
          ${timeTag(key.createdAt, now)}
          ${creatorOf(key) && html`<div class="sub">by ${creatorOf(key)}</div>`}
        `,
        label: 'Created',
      },
      { content: key.lastUsedAt ? timeTag(key.lastUsedAt, now) : 'Never', label: 'Used' },
      { content: key.expiresAt ? timeTag(key.expiresAt, now) : 'Never', label: 'Expires' },
      stateTag(state),
      rowMenu(key.name, [
        !isEnded && { label: 'Rotate…', href: path(`keys/${key.id}/rotate`) },
        screen.may('audit:read') && {
          label: 'Show in audit log',
          href: path(`audit?q=${encodeURIComponent(key.id)}`),
        },
        !isEnded && { label: 'Revoke…', href: path(`keys/${key.id}/revoke`), isDanger: true },
      ]),
    ],
  }
}

function isOver({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) <= now)
}

function keyState(
  key: ApiKey,
  { now, isReplaced }: { readonly now: number; readonly isReplaced: boolean },
): State {
  if (key.revokedAt !== undefined) return { word: 'Revoked', tone: 'off', sign: 'ban' }
  if (isOver(key, now)) return OFF('Expired')
  if (isReplaced) return { word: 'Ending', tone: 'busy', sign: 'dashed' }
  const ends = key.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt)
  return ends - now < SOON_MS ? WARNING('Expires soon') : GOOD('Valid')
}
