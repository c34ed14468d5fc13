/** Shows a new key. No later page shows it again. */
import type { ApiKey, CreatedApiKey } from '@octavo/contract'
import { cardHead } from '../../parts/card.ts'
import { codeSample, curlCommand } from '../../parts/code-sample.ts'
import { type Html, html } from '../../parts/html.ts'
import { notice } from '../../parts/notice.ts'
import { deployWithKey } from '../../parts/octavo-command.ts'
import { secretField } from '../../parts/secret-field.ts'
import { GOOD, stateTag } from '../../parts/state.ts'
import { dayText } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { SCOPE_WORDS } from '../members/role-words.ts'

export function createdKeyCard(screen: ProjectScreen, created: CreatedApiKey): Html {
  const { name, scopes, expiresAt, allowedFrom, token } = created
  const facts = [
    scopes.map((scope) => SCOPE_WORDS[scope].name).join(', '),
    expiresAt === undefined ? 'does not expire' : `until ${dayText(expiresAt)}`,
    allowedFrom.length === 0 ? 'from any network' : `from ${allowedFrom.join(', ')}`,
  ].join(' · ')
  const key = secretField({ id: 'new-key', label: 'Key', value: token, copy: 'Copy key' })
  return html`
    <section class="card">
      ${cardHead(html`${stateTag(GOOD('Created'), true)} ${name}`, facts)}
      <div class="card-body stack">
        ${notice({
          tone: 'warning',
          sign: 'eye-off',
          title: 'Copy the key now. It is shown only once.',
          text: 'The service stores no copy. If you lose the key, create another one and revoke this one.',
        })}
        ${key}
        ${tryIt(screen, created)}
      </div>
      <div class="card-foot">
        <span>
          Secret scanners recognize leaked keys by their prefix <code>${keyPrefix(created)}</code>.
        </span>
        <a class="button end" href="${screen.path('keys')}">I stored the key</a>
      </div>
    </section>
  `
}

/** Returns an example command that this key may run. */
function tryIt({ options, project, now }: ProjectScreen, { scopes, token }: CreatedApiKey): Html {
  const { url } = options
  const setKey = `export OCTAVO_API_KEY=${token}\n`
  const deploy =
    scopes.includes('deploy:write') &&
    html`
      <div class="field">
        <span class="label">Deploy the current folder</span>
        ${codeSample('try-deploy', deployWithKey(options, project.id, token))}
      </div>
    `
  if (deploy && !scopes.includes('analytics:read')) return deploy
  if (!scopes.includes('analytics:read'))
    return html`
      <div class="field">
        <span class="label">Try it</span>
        ${codeSample('try', setKey + curlCommand({ url, path: apiPaths.project(project.id) }))}
      </div>
    `
  const month = new Date(now).toISOString().slice(0, 7)
  const path = apiPaths.analytics(project.id, '/assistant', { dateFrom: `${month}-01` })
  return html`
    ${deploy}
    <div class="field">
      <span class="label">Try the key: list this month’s questions</span>
      ${codeSample('try', setKey + curlCommand({ url, path }))}
    </div>
    <div class="field">
      <span class="label">Or export all conversations to a file</span>
      ${codeSample(
        'try-export',
        `octavo export --service ${url} --project ${project.id} -o conversations.ndjson`,
      )}
    </div>
  `
}

export const keyPrefix = ({ kind }: ApiKey) => (kind === 'admin' ? 'octavo_adm_' : 'octavo_dep_')
