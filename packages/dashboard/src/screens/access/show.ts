/** `/projects/:id/access`: who can read the site, and how they prove it. */
import { AccessReply, type PREVIEW_ACCESS, ReaderTokenList } from '@octavo/contract'
import { cardHead, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postForm, selectField } from '../../parts/form.ts'
import { projectPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { hostOf, siteButton } from '../../parts/link.ts'
import { problemNotice, savedNotice } from '../../parts/notice.ts'
import { nowCard } from '../../parts/now.ts'
import { countText } from '../../parts/number.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, generalError, readApi, sendApi } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { accessFields, accessModes, readAccessForm } from './form.ts'
import { tokensCard } from './tokens.ts'

type Previews = (typeof PREVIEW_ACCESS)[number]

const PREVIEW_WORDS: Readonly<Record<Previews, string>> = {
  default: 'Members, if the repository is private',
  site: 'Same as the site',
  members: 'Members only',
}
const HOUR_WORDS = new Map([
  [24, '1 day'],
  [168, '7 days'],
  [720, '30 days'],
])
/** The maximum number of signed-in browsers that the API counts. */
const SESSIONS_COUNTED_MAX = 10_000

type Shown = {
  readonly attempt?: Attempt
  readonly tokenAttempt?: Attempt
  /** A new reader token, which is shown only once. */
  readonly token?: Html
}

export async function showAccess(screen: ProjectScreen, more: Shown = {}): Promise<Response> {
  const { visit, project, options, url } = screen
  const { attempt, tokenAttempt, token } = more
  const path = apiPaths.project(project.id, '/access')
  const access = await readApi(visit.api, AccessReply, path)
  const { tokens } = await readApi(visit.api, ReaderTokenList, `${path}/tokens`)
  const same = curlCommand({
    url: options.url,
    method: 'PUT',
    path,
    body: { mode: access.mode },
  })
  return projectPage(screen, {
    section: 'access',
    title: 'Site access',
    status: (attempt ?? tokenAttempt)?.problem.status ?? 200,
    body: html`
      ${pageHead({ title: 'Site access', lead: 'Who can read the site, and how readers sign in.' })}
      ${savedNotice(url, attempt, 'Site access was saved.')}
      ${token}
      ${currentState(screen, access)}
      ${accessForm(screen, access, attempt)}
      ${tokensCard(screen, { tokens, isPublic: access.mode === 'public', attempt: tokenAttempt })}
      ${sessionsCard(screen, access)}
      ${equivalentCommands(same)}
    `,
  })
}

export async function saveAccess(screen: ProjectScreen, form: Form): Promise<Response> {
  const sent = await sendApi(screen.visit.api, AccessReply, {
    method: 'PUT',
    path: apiPaths.project(screen.project.id, '/access'),
    body: readAccessForm(form),
  })
  if (!sent.ok) return showAccess(screen, { attempt: { form, problem: sent.problem } })
  return redirect(screen.path('access?saved'))
}

const MODE_SENTENCES: Readonly<Record<AccessReply['mode'], string>> = {
  public: 'Public: everyone can read',
  password: 'Private: readers enter one password',
  members: 'Private: only members of this project can read',
  oidc: 'Private: readers sign in with OpenID Connect',
  jwt: 'Private: your server signs readers in',
}

function currentState({ now, site }: ProjectScreen, access: AccessReply): Html {
  const { mode, modeSetAt, passwordSetAt, oidc } = access
  const isPublic = mode === 'public'
  const at = mode === 'password' ? passwordSetAt : modeSetAt
  const issuer = mode === 'oidc' ? oidc?.issuer : undefined
  const verb = mode === 'password' ? 'Password set' : 'Set'
  return nowCard({
    tone: isPublic ? 'off' : 'good',
    sign: isPublic ? 'globe' : 'lock',
    title: MODE_SENTENCES[mode],
    text: html`
      ${issuer && `At ${hostOf(issuer)}. `}
      ${at !== null && html`${verb} ${timeTag(at, now)}. `}
      ${isPublic ? 'Readers do not sign in.' : `${signedIn(access)}.`}
    `,
    actions: siteButton(site.url, 'Open the site'),
  })
}

function signedIn({ sessions }: AccessReply): string {
  if (sessions === 0) return 'No browser is signed in'
  if (sessions >= SESSIONS_COUNTED_MAX)
    return `${countText(SESSIONS_COUNTED_MAX)} browsers or more are signed in`
  return sessions === 1 ? '1 browser is signed in' : `${countText(sessions)} browsers are signed in`
}

function accessForm(
  screen: ProjectScreen,
  access: AccessReply,
  attempt: Attempt | undefined,
): Html {
  const { form, problem } = attempt ?? {}
  const valueFor = (name: string, stored: string) =>
    form === undefined ? stored : formValue(form, name)
  const shown = [...accessFields(valueFor('mode', access.mode)), 'sessionHours', 'previews']
  const body = html`
    ${cardHead('Who can read the site', html`Pages with <code>public: true</code> are always public`)}
    ${
      generalError(problem, shown) !== undefined &&
      html`<div class="card-body">${problemNotice(generalError(problem, shown))}</div>`
    }
    ${accessModes(screen, access, attempt ?? {})}
    <div class="common">
      ${selectField({
        name: 'sessionHours',
        label: 'Readers stay signed in for',
        className: 'width-s',
        value: valueFor('sessionHours', String(access.sessionHours)),
        choices: hourChoices(access.sessionHours),
        error: errorOf(problem, 'sessionHours'),
      })}
      ${selectField({
        name: 'previews',
        label: 'Previews',
        className: 'width-m',
        value: valueFor('previews', access.previews),
        choices: Object.entries(PREVIEW_WORDS).map(([value, label]) => ({ value, label })),
        error: errorOf(problem, 'previews'),
      })}
    </div>
    <div class="card-foot">
      <span>Changing the mode, password, key or issuer signs all readers out. Reader tokens keep working.</span>
      <button class="button primary end">Save</button>
    </div>
  `
  return postForm({
    action: screen.path('access'),
    token: screen.visit.formToken,
    className: 'card',
    body,
  })
}

/**
 * Returns the usual session lengths, and the stored one, which the API may have set to any number.
 */
function hourChoices(stored: number) {
  const hours = [...new Set([...HOUR_WORDS.keys(), stored])].toSorted((a, b) => a - b)
  return hours.map((hour) => ({
    value: String(hour),
    label: HOUR_WORDS.get(hour) ?? `${hour} ${hour === 1 ? 'hour' : 'hours'}`,
  }))
}

function sessionsCard({ path }: ProjectScreen, access: AccessReply): HtmlPart {
  if (access.mode === 'public') return undefined
  return html`
    <section class="card">
      ${cardHead('Sessions', signedIn(access))}
      <div class="card-foot plain">
        <span>This signs every reader out. Reader tokens keep working.</span>
        <a class="button danger end" href="${path('access/end-sessions')}">End all sessions…</a>
      </div>
    </section>
  `
}
