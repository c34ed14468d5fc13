/** The pages of a private site on which readers sign in and out. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { renderSignedOut, renderSignOutForm } from '@octavo/dashboard'
import { wantsPage } from '../hosting/reader-request.ts'
import { ALWAYS, askForToken } from '../hosting/send-reply.ts'
import { PROBLEMS, Problem } from '../http/problem.ts'
import type { ReaderWay } from './access-contract.ts'
import { endedReaderCookie, endSession } from './begin-session.ts'
import { createJwtSignIn } from './jwt-sign-in.ts'
import { createMembersSignIn, type MembersDeps } from './members-sign-in.ts'
import { createOidcSignIn, type OidcSignInDeps } from './oidc-sign-in.ts'
import { createPasswordSignIn, type PasswordDeps } from './password-sign-in.ts'
import {
  type AskedReaderPage,
  endedAttemptCookie,
  exchangeOf,
  type ReaderExchange,
  type ReaderReply,
  readOwnForm,
  refusal,
  sendReaderReply,
} from './reader-exchange.ts'

export type ReaderPages = {
  /** False for a path that has nothing to do with signing in. `path` is without the base path: `/login`. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedReaderPage & { readonly path: string },
  ) => Promise<boolean>
  /** For a reader who gets nothing here before they sign in. */
  readonly askToSignIn: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedReaderPage,
  ) => void
}

export type ReaderPageDeps = PasswordDeps & MembersDeps & OidcSignInDeps

const REFUSED =
  'The token of this request does not work here: it has expired, was ended, or is for another site.'

type Answer = (exchange: ReaderExchange) => Promise<ReaderReply>
/** By method and path. */
type Pages = Readonly<Record<string, Answer>>

export function createReaderPages(deps: ReaderPageDeps): ReaderPages {
  const { protocol } = new URL(deps.url)
  const password = createPasswordSignIn(deps)
  const members = createMembersSignIn(deps)
  const oidc = createOidcSignIn(deps)
  const jwt = createJwtSignIn(deps)

  /** Whoever is signed in goes on; the others begin. */
  const unlessSignedIn =
    (begin: Answer): Answer =>
    async (exchange) =>
      exchange.reader.kind === 'signed-in'
        ? { kind: 'redirect', url: exchange.to }
        : begin(exchange)

  const ofWay: Readonly<Record<Exclude<ReaderWay, 'token'>, Pages>> = {
    password: {
      'GET /login': unlessSignedIn(async (exchange) => password.show(exchange)),
      'POST /login': password.signIn,
    },
    members: {
      'GET /login': unlessSignedIn(members.begin),
      'GET /login/code': members.finish,
    },
    oidc: {
      'GET /login': unlessSignedIn(oidc.begin),
      'GET /login/callback': oidc.finish,
    },
    jwt: {
      'GET /login': unlessSignedIn(jwt.begin),
      'GET /login/jwt-callback': jwt.arrive,
      'POST /login/jwt-callback': jwt.finish,
    },
  }
  const ofAll: Pages = {
    'GET /logout': async ({ basePath: base, host }) => {
      const html = renderSignOutForm({ base, host, action: `${base}/logout` })
      return { kind: 'page', status: 200, html }
    },
    'POST /logout': async (exchange) => {
      await readOwnForm(exchange)
      await endSession(deps, exchange)
      const { basePath: base, host } = exchange
      return {
        kind: 'page',
        status: 200,
        html: renderSignedOut({ base, host }),
        headers: { 'clear-site-data': '"cache"' },
        cookies: [endedReaderCookie(), endedAttemptCookie()],
      }
    },
  }

  async function run(answer: Answer, exchange: ReaderExchange): Promise<ReaderReply> {
    try {
      return await answer(exchange)
    } catch (error) {
      // Anything else, such as a database that is away, is told by the host.
      if (!(error instanceof Problem)) throw error
      return refusal(exchange, error.message, PROBLEMS[error.code].status)
    }
  }

  return {
    async answer(request, response, { path, ...asked }) {
      const { protection } = asked.pointer
      if (protection === 'public') return false
      const pages = { ...ofAll, ...ofWay[protection] }
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const key = `${method} ${path}`
      const answer = Object.hasOwn(pages, key) ? pages[key] : undefined
      if (answer === undefined) return false
      sendReaderReply(response, await run(answer, exchangeOf(request, asked, protocol)))
      return true
    },

    askToSignIn(request, response, { basePath, reader }) {
      const isBrowser = wantsPage(request) && request.headers.accept?.includes('text/html') === true
      if (!isBrowser || request.headers.authorization !== undefined) {
        askForToken(response, reader.isRefused ? REFUSED : undefined)
        return
      }
      const to = encodeURIComponent(request.url ?? '/')
      response
        .writeHead(302, {
          ...ALWAYS,
          location: `${basePath}/login?to=${to}`,
          'cache-control': 'no-store',
        })
        .end()
    },
  }
}
