/** The confirmation pages to rotate and revoke a key, which explain what keeps working. */
import { type ApiKey, ApiKeyList, CreatedApiKey } from '@octavo/contract'
import { factList, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { choiceField, postForm } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { html } from '../../parts/html.ts'
import { notice, problemNotice } from '../../parts/notice.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { ApiFailure, type FormProblem, NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { SCOPE_WORDS } from '../members/role-words.ts'
import { keyPrefix } from './created.ts'
import { showCreatedKey } from './list.ts'

const PAGES_MAX = 20
const RECENT_MS = 7 * 86_400_000
const OVERLAPS = [
  { value: '0', label: 'No overlap' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
]

/**
 * Finds a key in the list of the project's keys, since the API has no endpoint for one key. The
 * list is short.
 */
async function findKey({ visit, project }: ProjectScreen, id: string): Promise<ApiKey> {
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path = apiPaths.project(project.id, '/keys', { cursor })
    const { keys, nextCursor } = await readApi(visit.api, ApiKeyList, path)
    const found = keys.find((key) => key.id === id)
    if (found !== undefined) return found
    if (nextCursor === null) break
    cursor = nextCursor
  }
  throw new ApiFailure({ status: 404, code: 'not-found', detail: 'This key does not exist.' })
}

const keyCode = (key: ApiKey) => html`<code>${keyPrefix(key)}…${key.lastFour}</code>`
const lastUse = ({ lastUsedAt }: ApiKey, now: number) =>
  lastUsedAt === undefined ? 'Never' : timeTag(lastUsedAt, now)
const mayText = ({ scopes, allowedFrom }: ApiKey) =>
  `${scopes.map((scope) => SCOPE_WORDS[scope].name).join(', ')}${allowedFrom.length > 0 ? `, from ${allowedFrom.join(', ')}` : ''}`

export async function showRotate(
  screen: ProjectScreen,
  id: string,
  attempt?: { readonly form: Form; readonly problem: FormProblem },
): Promise<Response> {
  const key = await findKey(screen, id)
  const { path, now, visit, options, project } = screen
  const facts = factList([
    ['Old key', keyCode(key)],
    ['Last used', lastUse(key, now)],
    ['Permissions of the new key', mayText(key)],
  ])
  const form = postForm({
    action: path(`keys/${id}/rotate`),
    token: visit.formToken,
    fields: { idempotency: crypto.randomUUID() },
    className: 'card narrow',
    body: html`
      <div class="card-body stack">
        ${problemNotice(attempt?.problem.detail)}
        ${facts}
        ${choiceField({
          name: 'overlapHours',
          label: 'Both keys are valid for',
          value: formValue(attempt?.form, 'overlapHours') || '168',
          choices: OVERLAPS,
          hint: 'Replace the old key with the new one within this time. After that, the old key expires automatically.',
        })}
      </div>
      <div class="card-foot">
        <a class="button quiet" href="${path('keys')}">Cancel</a>
        <button class="button primary end">Create the new key</button>
      </div>
    `,
  })
  return projectPage(screen, {
    section: 'keys',
    title: `Rotate ${key.name}`,
    status: attempt?.problem.status ?? 200,
    body: html`
      ${pageHead({
        title: `Rotate “${key.name}”`,
        lead: 'A new key is created now. The old key stays valid while you replace it.',
        back: { href: path('keys'), label: 'API keys' },
      })}
      ${form}
      ${equivalentCommands(
        curlCommand({
          url: options.url,
          method: 'POST',
          path: apiPaths.project(project.id, `/keys/${id}/rotate`),
          body: { overlapHours: 168 },
        }),
      )}
    `,
  })
}

export async function rotateKey(screen: ProjectScreen, id: string, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, CreatedApiKey, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, `/keys/${encodeURIComponent(id)}/rotate`),
    body: { overlapHours: Number(formValue(form, 'overlapHours')) },
    idempotencyKey: formValue(form, 'idempotency') || undefined,
  })
  if (!sent.ok) return showRotate(screen, id, { form, problem: sent.problem })
  return showCreatedKey(screen, sent.data)
}

export async function showRevoke(
  screen: ProjectScreen,
  id: string,
  problem?: string,
): Promise<Response> {
  const key = await findKey(screen, id)
  const { path, now, visit, options, project } = screen
  const isInUse = key.lastUsedAt !== undefined && now - Date.parse(key.lastUsedAt) < RECENT_MS
  const facts = factList([
    ['Programs with this key can no longer', mayText(key)],
    ['Last used', lastUse(key, now)],
    ['Not affected', 'Conversations, deployments and other keys'],
  ])
  const form = postForm({
    action: path(`keys/${id}/revoke`),
    token: visit.formToken,
    className: 'card narrow',
    body: html`
      <div class="card-body stack">
        ${problemNotice(problem)}
        <p>The key ${keyCode(key)} stops working within seconds. This cannot be undone.</p>
        ${facts}
        ${
          isInUse &&
          notice({
            tone: 'warning',
            text: html`
              This key was used in the last 7 days. If a program still needs
              access, <a href="${path(`keys/${id}/rotate`)}">rotate the key</a> instead.
            `,
          })
        }
      </div>
      <div class="card-foot">
        <a class="button quiet" href="${path('keys')}">Cancel</a>
        <button class="button danger final end">Revoke the key</button>
      </div>
    `,
  })
  return projectPage(screen, {
    section: 'keys',
    title: `Revoke ${key.name}`,
    status: problem === undefined ? 200 : 409,
    body: html`
      ${pageHead({ title: `Revoke “${key.name}”?`, back: { href: path('keys'), label: 'API keys' } })}
      ${form}
      ${equivalentCommands(
        curlCommand({
          url: options.url,
          method: 'DELETE',
          path: apiPaths.project(project.id, `/keys/${id}`),
        }),
        `octavo-service key revoke ${project.id} ${id}`,
      )}
    `,
  })
}

export async function revokeKey(screen: ProjectScreen, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: apiPaths.project(screen.project.id, `/keys/${encodeURIComponent(id)}`),
  })
  if (!sent.ok) return showRevoke(screen, id, sent.problem.detail)
  return redirect(screen.path('keys'))
}
