/**
 * Serves all pages of the service: sign-in, and the dashboard, which calls the API in this process
 * as the signed-in person. The app registers the paths; this file contains what all pages share.
 */
import {
  type Api,
  type DashboardOptions,
  type GitHubChoice,
  gitHubScreen,
  openScreen,
  readTheme,
  renderMessage,
  SCREENS,
  type ScreenRoute,
  SECURITY_HEADERS,
  type Visit,
} from '@octavo/dashboard'
import type { FoundPerson, Sessions } from '../../people/sessions/sessions.ts'
import { COMMAND_LINE_FOLDER, createCommandLine } from '../../people/sign-in/command-line-file.ts'
import {
  endedSessionCookie,
  readSessionCookie,
  sessionCookie,
} from '../../people/sign-in/cookies.ts'
import { devicePages } from '../../people/sign-in/device-pages.ts'
import { emailPages } from '../../people/sign-in/email/email-pages.ts'
import {
  formTokenOf,
  readForm,
  requireFormToken,
  requireOwnOrigin,
  safePath,
} from '../../people/sign-in/forms.ts'
import { keepAccessPages, redirectToKeepAccess } from '../../people/sign-in/keep-access.ts'
import { linkPages } from '../../people/sign-in/links.ts'
import { oidcPages } from '../../people/sign-in/oidc/oidc-pages.ts'
import { type Exchange, htmlPage, redirect, type WebPage } from '../../people/sign-in/page.ts'
import { passkeyPages } from '../../people/sign-in/passkey-pages.ts'
import { passkeyProblemOf } from '../../people/sign-in/passkeys/passkeys.ts'
import type { CallApiAs } from '../../people/sign-in/refusal.ts'
import { createShowSignIn, type ShowSignIn } from '../../people/sign-in/show-sign-in.ts'
import type { SignInSettings } from '../../people/sign-in-settings.ts'
import type { Database } from '../../platform/database/database.ts'
import { FORM_BYTES_MAX } from '../../platform/http/body-limits.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { Click } from '../../platform/http/click.ts'
import { createAnonymousLimit } from '../../platform/limits/rate-limit.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { asProblem, PROBLEMS, Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { type GitHubFlow, gitHubPages } from '../../publishing/connections/github-pages.ts'
import type { HostNames } from '../../publishing/domains/site-address.ts'
import { memberPages } from '../../reading/access/member-pages.ts'
import { ASSETS_FOLDER, createAssets } from './assets.ts'

export type WebDeps = {
  readonly database: Database
  readonly sessions: Sessions
  readonly pepper: PepperRing
  readonly signIn: SignInSettings
  readonly mailer: Mailer | undefined
  /** Undefined without a GitHub App that users can authorize. */
  readonly gitHub: GitHubFlow | undefined
  /** The service's URL. */
  readonly url: string
  /** The domains of the sites that members sign in to. */
  readonly siteNames: HostNames
  readonly callApi: (request: Request, visitor: Visitor) => Promise<Response>
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

type Visitor = { readonly click: Click; readonly clientAddress?: string }

/** A route to register in the app. */
type WebRoute = Pick<ScreenRoute, 'method' | 'path'> & {
  readonly handle: (webRequest: WebRequest) => Promise<Response>
}

type WebRequest = Pick<Exchange, 'request' | 'params' | 'clientAddress'>

const METHODS = ['GET', 'HEAD', 'POST']

export class Web {
  readonly #deps: WebDeps
  readonly #origin: string
  readonly #assets = createAssets()
  readonly #countAnonymous: (clientAddress: string | undefined) => void
  readonly #showSignIn: ShowSignIn
  readonly #options: DashboardOptions
  /** The last route matches every other path. */
  readonly routes: readonly WebRoute[]

  constructor(deps: WebDeps) {
    const { origin, protocol, hostname } = new URL(deps.url)
    const isSecure = protocol === 'https:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1)$/.test(hostname)
    const passkeyProblem = passkeyProblemOf(deps.url)
    const commandLine = createCommandLine({ origin })
    this.#deps = deps
    this.#origin = origin
    this.#countAnonymous = createAnonymousLimit(deps.now)
    this.#showSignIn = createShowSignIn(deps.signIn, { isSecure, passkeyProblem })
    this.#options = {
      url: origin,
      connectsGitHub: deps.gitHub !== undefined,
      // A getter, since the CLI may be built later.
      get commandLineUrl() {
        return commandLine.url()
      },
      passkeyProblem,
      now: deps.now,
    }
    this.routes = [
      this.#route(`${ASSETS_FOLDER}*`, ({ request }) => this.#assets.answer(request)),
      this.#route(`${COMMAND_LINE_FOLDER}*`, ({ request }) => commandLine.answer(request)),
      ...this.#createPages({ isSecure, passkeyProblem }).map(({ method, path, answer }) =>
        this.#route(path, (webRequest) => this.#answer(answer, webRequest), method),
      ),
    ]
  }

  #route(path: string, work: WebRoute['handle'], method: WebRoute['method'] = 'ALL'): WebRoute {
    return { method, path, handle: (webRequest) => this.#guard(webRequest, work) }
  }

  /** Adds security headers to every response, and turns errors into pages. */
  async #guard(webRequest: WebRequest, work: WebRoute['handle']): Promise<Response> {
    const { request } = webRequest
    let response: Response
    try {
      if (!METHODS.includes(request.method))
        throw new Problem('method-not-allowed', `Allowed methods: ${METHODS.join(', ')}.`)
      response = await work(webRequest)
    } catch (error) {
      const problem = asProblem(error)
      if (problem.code === 'internal' || problem.cause !== undefined) this.#deps.onError(error)
      const { status, title } = PROBLEMS[problem.code]
      const gate = await this.#gateOf(request)
      response = htmlPage(renderMessage({ ...gate, title, text: problem.message }), status)
      for (const [name, value] of Object.entries(problem.headers)) response.headers.set(name, value)
    }
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value)
    return response
  }

  #createPages(known: {
    readonly isSecure: boolean
    readonly passkeyProblem: string | undefined
  }): readonly WebPage[] {
    const deps = {
      ...this.#deps,
      ...known,
      settings: this.#deps.signIn,
      origin: this.#origin,
      showSignIn: this.#showSignIn,
      callApiAs: this.#callApiAs,
    }
    return [
      ...linkPages(deps),
      ...oidcPages(deps),
      ...emailPages(deps),
      ...passkeyPages(deps),
      ...keepAccessPages(deps),
      ...devicePages(deps),
      ...memberPages(this.#deps),
      ...gitHubPages({ ...deps, showChoice: this.#showChoice }),
      { path: '/sign-in', answer: (exchange) => this.#signInPage(exchange) },
      { method: 'POST', path: '/sign-out', answer: this.#admit(this.#signOut) },
      ...SCREENS.map((screen) => ({
        method: screen.method,
        path: screen.path,
        answer: this.#admit((exchange, person) =>
          this.#openDashboard(exchange, person, { screen }),
        ),
      })),
    ]
  }

  async #answer(
    answer: WebPage['answer'],
    { request, params, clientAddress }: WebRequest,
  ): Promise<Response> {
    const url = new URL(request.url)
    if (request.method === 'POST') requireOwnOrigin(request, this.#origin)
    const cookie = readSessionCookie(request)
    const found = cookie === undefined ? undefined : await this.#deps.sessions.find(cookie)
    if (request.method === 'POST' && found === undefined) this.#countAnonymous(clientAddress)
    const person = found?.kind === 'browser' ? found : undefined
    const exchange: Exchange = {
      request,
      url,
      clientAddress,
      person,
      params,
      gate: await this.#gateOf(request),
      signIn: (someone, to) => this.#signIn(exchange, someone, to),
    }
    return redirectToKeepAccess(url, person) ?? answer(exchange)
  }

  async #gateOf(request: Request): Promise<Exchange['gate']> {
    return { assets: await this.#assets.paths(), theme: readTheme(request) }
  }

  async #signIn(
    { request, clientAddress, person }: Exchange,
    found: FoundPerson,
    { next, method }: Parameters<Exchange['signIn']>[1],
  ): Promise<Response> {
    const { sessions } = this.#deps
    const userAgent = request.headers.get('user-agent') ?? ''
    const token = await sessions.begin(found, {
      method,
      kind: 'browser',
      userAgent,
      clientAddress,
    })
    if (token === undefined)
      throw new Problem(
        'unauthorized',
        'Your address was verified a moment ago in another browser. Sign in again.',
      )
    // End the old session, since the new cookie replaces the old one in the browser.
    if (person !== undefined) await sessions.end(person)
    return redirect(next, { 'set-cookie': sessionCookie(token) })
  }

  /**
   * Shows the sign-in page. With the parameter `again`, signed-in users also get it, since
   * dangerous actions need a recent sign-in.
   */
  async #signInPage({ url, person, gate }: Exchange): Promise<Response> {
    const next = safePath(url.searchParams.get('next'))
    if (person !== undefined && !url.searchParams.has('again')) return redirect(next)
    return this.#showSignIn({ gate, next })
  }

  /** Requires a signed-in user and, for forms, the form token of the session. */
  #admit(open: (exchange: Exchange, person: SignedIn) => Promise<Response>): WebPage['answer'] {
    return async (exchange) => {
      const { request, url, person } = exchange
      if (person === undefined) {
        if (request.method === 'POST' || url.pathname === '/') return redirect('/sign-in')
        return redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`)
      }
      if (request.method === 'POST') {
        const form = await readForm(request.clone() as Request, FORM_BYTES_MAX)
        requireFormToken(form, person, this.#deps.pepper)
      }
      return open(exchange, person)
    }
  }

  readonly #signOut = async (_: Exchange, person: SignedIn): Promise<Response> => {
    await this.#deps.sessions.end(person)
    return redirect('/sign-in', { 'set-cookie': endedSessionCookie() })
  }

  /** Shows the repositories that GitHub reported, as a page of the project. */
  readonly #showChoice = async (
    exchange: Exchange,
    projectId: string,
    gitHub: GitHubChoice,
  ): Promise<Response> => {
    const { person, request } = exchange
    if (person === undefined) throw new Error('the request has no signed-in person')
    const page = new URL(`/projects/${projectId}/connection/github`, this.#origin)
    const pageRequest = new Request(page, { headers: request.headers })
    const visit = { ...exchange, request: pageRequest, params: { projectId } }
    return this.#openDashboard(visit, person, { screen: gitHubScreen, gitHub })
  }

  async #openDashboard(
    { request, params, gate, clientAddress }: Exchange,
    person: SignedIn,
    { screen, ...visit }: Pick<Visit, 'gitHub'> & { readonly screen: ScreenRoute },
  ): Promise<Response> {
    const { id, name, email, canSignInAgain } = person
    const click = new Click(person, true)
    try {
      return await openScreen(screen, {
        options: this.#options,
        params,
        visit: {
          ...visit,
          request,
          person: { id, name, email, canSignInAgain },
          formToken: formTokenOf(person, this.#deps.pepper),
          assets: gate.assets,
          api: this.#apiOf(click, clientAddress),
        },
      })
    } finally {
      await click.reads.end()
    }
  }

  readonly #callApiAs: CallApiAs = ({ person, clientAddress }, path, body) => {
    if (person === undefined)
      throw new Problem('unauthorized', 'You are signed out. Sign in again.')
    const click = new Click(person, false)
    return this.#apiOf(click, clientAddress)('POST', path, body && { body })
  }

  #apiOf(click: Click, clientAddress: string | undefined): Api {
    return (method, path, { body, accept = 'application/json', idempotencyKey } = {}) => {
      const headers = {
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const request = new Request(new URL(path, this.#origin), { method, headers, ...sent })
      return this.#deps.callApi(request, {
        click,
        ...(clientAddress !== undefined && { clientAddress }),
      })
    }
  }
}
