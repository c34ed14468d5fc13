/** The pages of a private site on which readers sign in and out. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReaderWay } from '@octavo/contract'
import { renderSignedOut, renderSignOutForm } from '@octavo/dashboard'
import { wantsPage } from '../../platform/http/reader-request.ts'
import { ALWAYS, askForToken } from '../../platform/http/send-reply.ts'
import { PROBLEMS, Problem } from '../../platform/problem.ts'
import { endedReaderCookie, endSession } from './begin-session.ts'
import { createJwtSignIn } from './jwt-sign-in.ts'
import { createMembersSignIn, type MembersDeps } from './members-sign-in.ts'
import { createOidcSignIn, NO_METADATA, type OidcSignInDeps } from './oidc-sign-in.ts'
import { createPasswordSignIn, type PasswordDeps } from './password-sign-in.ts'
import { isMetadataPath, METADATA_PATH } from './protected-resource.ts'
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
  /** False for a path that has nothing to do with signing in. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedReaderPage & { readonly pathname: string },
  ) => Promise<boolean>
  /** For a reader who gets nothing here before they sign in. */
  readonly askToSignIn: (
    request: IncomingMessage,
    response: ServerResponse,
    asked: AskedReaderPage,
  ) => void
}

export type ReaderPageDeps = PasswordDeps & MembersDeps & OidcSignInDeps

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
      [`GET ${METADATA_PATH}`]: oidc.describe,
    },
    jwt: {
      'GET /login': unlessSignedIn(jwt.begin),
      'GET /login/jwt-callback': jwt.arrive,
      'POST /login/jwt-callback': jwt.finish,
    },
  }
  const ofAll: Pages = {
    [`GET ${METADATA_PATH}`]: async () => NO_METADATA,
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
    async answer(request, response, { pathname, ...asked }) {
      const { protection } = asked.pointer
      const path = pathBelow(asked.basePath, pathname)
      if (protection === 'public' || path === undefined) return false
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
        askForToken(response, reader)
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

/** A path without the base path; nothing for one that is not below it. */
function pathBelow(basePath: string, pathname: string): string | undefined {
  if (isMetadataPath(pathname, basePath)) return METADATA_PATH
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined
}
