/**
 * Connects a repository through the GitHub App: the browser goes to GitHub and comes back. The
 * callback works once, in the same session and for the same project. Only GitHub decides which
 * repositories the person can use.
 */
import { randomBytes } from 'node:crypto'
import { hasScope, ROLE_SCOPES } from '@octavo/contract'
import { type GitHubChoice, renderMessage } from '@octavo/dashboard'
import { z } from 'zod'
import { createSealer } from '../../people/identity/sealed-value.ts'
import { spendOnce } from '../../people/identity/spend-once.ts'
import { readCookie, setCookie } from '../../people/sign-in/cookies.ts'
import {
  type Exchange,
  htmlPage,
  pagesWith,
  redirect,
  type WebPage,
} from '../../people/sign-in/page.ts'
import { findProjectRole } from '../../people/users/store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { GitHubApp } from '../providers/github-app.ts'
import type { GitHubUsers } from '../providers/github-user.ts'
import { createGitHubGrants } from './github-grant.ts'

/** The path to which GitHub redirects the browser. */
export const GITHUB_RETURN_PATH = '/connect/github'

export type GitHubFlow = { readonly app: GitHubApp; readonly users: GitHubUsers }

export type GitHubPageDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  /** Undefined if the service has no GitHub App with which people can connect repositories. */
  readonly gitHub: GitHubFlow | undefined
  readonly showChoice: (
    exchange: Exchange,
    projectId: string,
    choice: GitHubChoice,
  ) => Promise<Response>
  readonly now: () => number
}

const COOKIE = '__Host-octavo-github'
/**
 * How long a person has to return from GitHub. Installing an app takes a while: they read its
 * permissions and choose repositories.
 */
const ATTEMPT_SECONDS = 30 * 60
const GITHUB_MS_MAX = 30_000

/** The state of an attempt, sealed in a cookie while the person is on GitHub. */
const Attempt = z.strictObject({
  state: z.string(),
  session: z.string(),
  project: z.string(),
  step: z.enum(['install', 'authorize']),
  installation: z.string().optional(),
})
type Attempt = z.infer<typeof Attempt>

export const gitHubPages = (deps: GitHubPageDeps): readonly WebPage[] =>
  pagesWith(new GitHubConnecting(deps), [
    [GITHUB_RETURN_PATH, (pages, exchange) => pages.finish(exchange)],
    [`${GITHUB_RETURN_PATH}/:id{prj_[\\da-z]+}`, (pages, exchange) => pages.begin(exchange)],
  ])

class GitHubConnecting {
  readonly #deps: GitHubPageDeps
  readonly #sealer: ReturnType<typeof createSealer>
  readonly #grants: ReturnType<typeof createGitHubGrants>

  constructor(deps: GitHubPageDeps) {
    this.#deps = deps
    this.#sealer = createSealer('github connect', deps)
    this.#grants = createGitHubGrants(deps)
  }

  /**
   * Redirects to GitHub's page for installing the app, or with `installed` to its page for
   * authorizing the app.
   */
  async begin({ request, url, person, params, gate }: Exchange): Promise<Response> {
    requireGet(request)
    if (person === undefined)
      return redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`)
    const { id = '' } = params
    await this.#requireRole(person, id)
    const { gitHub } = this.#deps
    if (gitHub === undefined) throw new Problem('not-found', NO_APP)
    const attempt = { session: person.sessionId, project: id }
    if (url.searchParams.has('installed'))
      return this.#leave({ ...attempt, step: 'authorize' }, (state) =>
        gitHub.users.authorizeUrl(state),
      )
    const install = await gitHub.app.installUrl(AbortSignal.timeout(GITHUB_MS_MAX))
    if (typeof install !== 'string') return refuse(gate, id, install.message, 502)
    return this.#leave({ ...attempt, step: 'install' }, (state) => `${install}?state=${state}`)
  }

  /** Handles the return from GitHub. Removes the cookie of the attempt, whatever the result. */
  async finish(exchange: Exchange): Promise<Response> {
    requireGet(exchange.request)
    const response = await this.#answerReturn(exchange)
    if (!response.headers.has('set-cookie'))
      response.headers.set('set-cookie', setCookie(COOKIE, '', 0))
    return response
  }

  async #answerReturn(exchange: Exchange): Promise<Response> {
    const { request, url, person, gate } = exchange
    const { searchParams } = url
    const { gitHub } = this.#deps
    if (gitHub === undefined) throw new Problem('not-found', NO_APP)
    const attempt = Attempt.safeParse(this.#sealer.open(readCookie(request, COOKIE))).data
    if (attempt === undefined || searchParams.get('state') !== attempt.state)
      return refuse(gate, undefined, STALE)
    const { project } = attempt
    if (person?.sessionId !== attempt.session) return refuse(gate, project, OTHER_SESSION)
    if (!(await spendOnce(this.#deps.database, `github connect ${attempt.state}`, ATTEMPT_SECONDS)))
      return refuse(gate, project, STALE)
    await this.#requireRole(person, project)
    if (searchParams.has('error')) return refuse(gate, project, DENIED)
    if (searchParams.get('setup_action') === 'request') return refuse(gate, project, REQUESTED, 200)
    const installationId = searchParams.get('installation_id') ?? attempt.installation
    if (installationId !== undefined && !/^\d{1,16}$/.test(installationId))
      return refuse(gate, project, FOREIGN)
    const code = searchParams.get('code')
    if (code === null) {
      // GitHub may return without a code, for example after an installation was changed.
      if (attempt.step === 'authorize') return refuse(gate, project, STALE)
      const next = { session: attempt.session, project, step: 'authorize' as const }
      const installation = installationId === undefined ? {} : { installation: installationId }
      return this.#leave({ ...next, ...installation }, (state) => gitHub.users.authorizeUrl(state))
    }
    const found = await gitHub.users.listRepositories(
      { code, installationId },
      AbortSignal.timeout(GITHUB_MS_MAX),
    )
    if (found.kind === 'failed') return refuse(gate, project, found.message, 502)
    if (found.kind === 'refused')
      return refuse(gate, project, found.reason === 'code' ? STALE : FOREIGN)
    return this.#deps.showChoice(exchange, project, {
      grant: this.#grants.seal(
        { sessionId: person.sessionId, projectPublicId: project },
        found.repositories,
      ),
      repositories: found.repositories
        .map(({ name }) => ({ name, url: gitHub.app.cloneUrl(name) }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      hasMore: found.hasMore,
    })
  }

  async #requireRole(person: SignedIn, projectId: string): Promise<void> {
    const found = await findProjectRole(this.#deps.database, person, projectId)
    if (found === undefined) throw new Problem('not-found', 'The project does not exist.')
    if (!hasScope(ROLE_SCOPES[found.role], 'project:write'))
      throw new Problem('forbidden', `The role \`${found.role}\` cannot connect a repository.`)
  }

  /**
   * Redirects to GitHub with a `state` that is also sealed in a cookie, so that only this browser
   * can return with it.
   */
  #leave(attempt: Omit<Attempt, 'state'>, addressOf: (state: string) => string): Response {
    const state = randomBytes(32).toString('base64url')
    const sealed = this.#sealer.seal({ ...attempt, state }, ATTEMPT_SECONDS)
    return redirect(addressOf(state), { 'set-cookie': setCookie(COOKIE, sealed, ATTEMPT_SECONDS) })
  }
}

const NO_APP = 'This service has no GitHub App for connecting repositories.'
const STALE =
  'This connection was started in another browser, has expired, or is already complete. Connect the repository again.'
const OTHER_SESSION =
  'You were signed out, or signed in again, after you went to GitHub. Connect the repository again.'
const DENIED = 'You did not authorize the app on GitHub, so nothing was connected.'
const REQUESTED =
  'An owner of the organization has to approve the app on GitHub. Connect the repository when that is done.'
const FOREIGN =
  'You do not have access to this installation of the app on GitHub. Choose an installation of your own account.'

function requireGet({ method }: Request): void {
  if (method !== 'GET') throw new Problem('method-not-allowed', 'Allowed methods: GET.')
}

function refuse(
  gate: Exchange['gate'],
  project: string | undefined,
  text: string,
  status = 403,
): Response {
  const title = status === 200 ? 'The app is waiting for approval' : 'Nothing was connected'
  const link =
    project === undefined
      ? { href: '/', label: 'All projects' }
      : { href: `/projects/${project}/connection`, label: 'Git connection' }
  return htmlPage(renderMessage({ ...gate, title, text, link }), status)
}
