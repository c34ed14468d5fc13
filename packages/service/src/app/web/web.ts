/**
 * What a browser sees of the service beside its API: signing in, and the dashboard, which calls the API
 * in this process as the person who is signed in.
 */
import {
  type Api,
  createDashboard,
  type GitHubChoice,
  readTheme,
  renderMessage,
  SECURITY_HEADERS,
  type Visit,
} from '@octavo/dashboard'
import type { Sessions } from '../../people/sessions/sessions.ts'
import { createCommandLine } from '../../people/sign-in/command-line-file.ts'
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
import { keepAccessFirst, keepAccessPages } from '../../people/sign-in/keep-access.ts'
import { linkPages } from '../../people/sign-in/links.ts'
import { oidcPages } from '../../people/sign-in/oidc/oidc-pages.ts'
import { type Exchange, htmlPage, redirect, type SignInPage } from '../../people/sign-in/page.ts'
import { passkeyPages } from '../../people/sign-in/passkey-pages.ts'
import { passkeyProblemOf } from '../../people/sign-in/passkeys/passkeys.ts'
import { createShowSignIn } from '../../people/sign-in/ways.ts'
import type { SignInSettings } from '../../people/sign-in-settings.ts'
import type { Database } from '../../platform/database/database.ts'
import { FORM_BYTES_MAX } from '../../platform/http/body-limits.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { createAnonymousLimit } from '../../platform/limits/rate-limit.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { asProblem, PROBLEMS, Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { type GitHubFlow, gitHubPages } from '../../publishing/connections/github-pages.ts'
import type { HostNames } from '../../publishing/domains/site-address.ts'
import { memberPages } from '../../reading/access/member-pages.ts'
import { createAssets } from './assets.ts'

export type WebDeps = {
  readonly database: Database
  readonly sessions: Sessions
  readonly pepper: PepperRing
  readonly signIn: SignInSettings
  readonly mailer: Mailer | undefined
  /** Nothing without a GitHub App that people can use. */
  readonly gitHub: GitHubFlow | undefined
  /** The address of the service. */
  readonly url: string
  /** Where the sites are that members sign in to. */
  readonly siteNames: HostNames
  readonly callApi: (request: Request, visitor: Visitor) => Promise<Response>
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

type Visitor = { readonly person: SignedIn; readonly clientAddress?: string }

export type Web = {
  readonly handle: (request: Request, clientAddress: string | undefined) => Promise<Response>
}

const METHODS = ['GET', 'HEAD', 'POST']

export function createWeb(deps: WebDeps): Web {
  const { sessions, pepper, now } = deps
  const { origin, protocol, hostname } = new URL(deps.url)
  const isSecure = protocol === 'https:' || /^(?:(?:.+\.)?localhost|127\.0\.0\.1)$/.test(hostname)
  const assets = createAssets()
  const commandLine = createCommandLine({ origin })
  const countAnonymous = createAnonymousLimit(now)
  const passkeyProblem = passkeyProblemOf(deps.url)
  const showSignIn = createShowSignIn(deps.signIn, { isSecure, passkeyProblem })
  const pageDeps = {
    ...deps,
    settings: deps.signIn,
    origin,
    isSecure,
    passkeyProblem,
    showSignIn,
    callApiAs,
  }
  const pages: readonly SignInPage[] = [
    ...linkPages(pageDeps),
    ...oidcPages(pageDeps),
    ...emailPages(pageDeps),
    ...passkeyPages(pageDeps),
    ...keepAccessPages(pageDeps),
    ...devicePages(pageDeps),
    ...memberPages(deps),
    ...gitHubPages({ ...pageDeps, showChoice }),
    { pattern: /^\/sign-in$/, answer: signInPage },
  ]

  /** With `again`, also for somebody who is signed in: dangerous actions want a fresh proof. */
  async function signInPage({ url, person, gate }: Exchange): Promise<Response> {
    const next = safePath(url.searchParams.get('next'))
    if (person !== undefined && !url.searchParams.has('again')) return redirect(next)
    return showSignIn({ gate, next })
  }

  async function showDashboard(exchange: Exchange): Promise<Response> {
    const { request, url, person } = exchange
    if (person === undefined) {
      if (request.method === 'POST' || url.pathname === '/') return redirect('/sign-in')
      return redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`)
    }
    const formToken = formTokenOf(person, pepper)
    if (request.method === 'POST') {
      const form = await readForm(request.clone() as Request, FORM_BYTES_MAX)
      requireFormToken(form, person, pepper)
    }
    if (url.pathname === '/sign-out' && request.method === 'POST') {
      await sessions.end(person)
      return redirect('/sign-in', { 'set-cookie': endedSessionCookie() })
    }
    return openDashboard(exchange, person, { request, formToken })
  }

  /** The repositories that GitHub named, as a page of the project. */
  async function showChoice(
    exchange: Exchange,
    projectId: string,
    gitHub: GitHubChoice,
  ): Promise<Response> {
    const { person, request } = exchange
    if (person === undefined) throw new Error('nobody to choose')
    const page = new URL(`/projects/${projectId}/connection/github`, origin)
    const formToken = formTokenOf(person, pepper)
    const asked = new Request(page, { headers: request.headers })
    return openDashboard(exchange, person, { request: asked, formToken, gitHub })
  }

  function openDashboard(
    { gate, clientAddress }: Exchange,
    person: SignedIn,
    visit: Pick<Visit, 'request' | 'formToken' | 'gitHub'>,
  ): Promise<Response> {
    const { id, name, email, hasWayBack } = person
    const connectsGitHub = deps.gitHub !== undefined
    const dashboard = createDashboard({
      url: origin,
      assets: gate.assets,
      connectsGitHub,
      commandLineUrl: commandLine.url(),
      passkeyProblem,
      now,
    })
    const api = apiAs(person, clientAddress)
    return dashboard.handle({ ...visit, person: { id, name, email, hasWayBack }, api })
  }

  function callApiAs({ person, clientAddress }: Exchange, path: string, body?: object) {
    if (person === undefined)
      throw new Problem('unauthorized', 'You are signed out. Sign in again.')
    return apiAs(person, clientAddress)('POST', path, body && { body })
  }

  function apiAs(person: SignedIn, clientAddress: string | undefined): Api {
    return (method, path, { body, accept = 'application/json', idempotencyKey } = {}) => {
      const headers = {
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return deps.callApi(new Request(new URL(path, origin), { method, headers, ...sent }), {
        person,
        ...(clientAddress !== undefined && { clientAddress }),
      })
    }
  }

  async function answer(request: Request, clientAddress: string | undefined): Promise<Response> {
    const url = new URL(request.url)
    if (!METHODS.includes(request.method))
      throw new Problem('method-not-allowed', `Allowed methods: ${METHODS.join(', ')}.`)
    const asset = await assets.find(url.pathname)
    if (asset !== undefined) return asset
    const file = await commandLine.find(request)
    if (file !== undefined) return file
    if (request.method === 'POST') requireOwnOrigin(request, origin)
    const cookie = readSessionCookie(request)
    const person = cookie === undefined ? undefined : await sessions.find(cookie)
    if (request.method === 'POST' && person === undefined) countAnonymous(clientAddress)
    const page = pages.find(({ pattern }) => pattern.test(url.pathname))
    const exchange: Exchange = {
      request,
      url,
      clientAddress,
      person: person?.kind === 'browser' ? person : undefined,
      part: page?.pattern.exec(url.pathname)?.[1] ?? '',
      gate: await gateOf(request),
      signIn: async (found, next) => {
        const userAgent = request.headers.get('user-agent') ?? ''
        const token = await sessions.begin(found, { kind: 'browser', userAgent, clientAddress })
        if (token === undefined)
          throw new Problem(
            'unauthorized',
            'Your address was verified a moment ago in another browser. Sign in again.',
          )
        // The browser forgets the session that it had.
        if (person?.kind === 'browser') await sessions.end(person)
        return redirect(next, { 'set-cookie': sessionCookie(token) })
      },
    }
    return keepAccessFirst(url, exchange.person) ?? (page?.answer ?? showDashboard)(exchange)
  }

  async function gateOf(request: Request): Promise<Exchange['gate']> {
    return { assets: await assets.paths(), theme: readTheme(request) }
  }

  return {
    async handle(request, clientAddress) {
      let response: Response
      try {
        response = await answer(request, clientAddress)
      } catch (error) {
        const problem = asProblem(error)
        if (problem.code === 'internal' || problem.cause !== undefined) deps.onError(error)
        const { status, title } = PROBLEMS[problem.code]
        const gate = await gateOf(request)
        response = htmlPage(renderMessage({ ...gate, title, text: problem.message }), status)
        for (const [name, value] of Object.entries(problem.headers))
          response.headers.set(name, value)
      }
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        response.headers.set(name, value)
      return response
    },
  }
}
