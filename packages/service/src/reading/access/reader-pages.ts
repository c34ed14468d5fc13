/** The pages of a private site on which readers sign in and out. */
import type { ReaderWay } from '@octavo/contract'
import { renderSignedOut, renderSignOutForm } from '@octavo/dashboard'
import { wantsPage } from '../../platform/http/reader-request.ts'
import { ALWAYS, askForToken } from '../../platform/http/send-reply.ts'
import { PROBLEMS, Problem } from '../../platform/problem.ts'
import type { SiteExchange } from '../hosting/site-router.ts'
import { endedReaderCookie, endSession } from './begin-session.ts'
import { createJwtSignIn } from './jwt-sign-in.ts'
import { createMembersSignIn, type MembersDeps } from './members-sign-in.ts'
import { createOidcSignIn, NO_METADATA, type OidcSignInDeps } from './oidc-sign-in.ts'
import { createPasswordSignIn, type PasswordDeps } from './password-sign-in.ts'
import { isMetadataPath, METADATA_PATH } from './protected-resource.ts'
import {
  endedAttemptCookie,
  exchangeOf,
  type ReaderExchange,
  type ReaderReply,
  readOwnForm,
  refusal,
  sendReaderReply,
} from './reader-exchange.ts'

export type ReaderPageDeps = PasswordDeps & MembersDeps & OidcSignInDeps

type Answer = (exchange: ReaderExchange) => Promise<ReaderReply>
/** By method and path. */
type Pages = Readonly<Record<string, Answer>>

type PagesOfWays = Readonly<Record<Exclude<ReaderWay, 'token'>, Pages>>

type SiteRequest = Pick<
  SiteExchange,
  'request' | 'response' | 'pointer' | 'reader' | 'view' | 'pathname'
>

export class ReaderPages {
  readonly #protocol: string
  readonly #ofAll: Pages
  readonly #ofWay: PagesOfWays

  constructor(deps: ReaderPageDeps) {
    this.#protocol = new URL(deps.url).protocol
    this.#ofAll = pagesOfAll(deps)
    this.#ofWay = pagesOfWays(deps)
  }

  /** Whether a path of a site has something to do with signing in. */
  isFor(asked: SiteRequest): boolean {
    return this.#find(asked) !== undefined
  }

  async answer(asked: SiteRequest): Promise<void> {
    const { request, response, pointer, reader, view } = asked
    const page = { pointer, reader, basePath: view.basePath }
    const exchange = exchangeOf(request, page, this.#protocol)
    const answer = this.#find(asked)
    if (answer !== undefined) sendReaderReply(response, await run(answer, exchange))
  }

  #find({ request, pointer: { protection }, view, pathname }: SiteRequest): Answer | undefined {
    const path = pathBelow(view.basePath, pathname)
    if (protection === 'public' || path === undefined) return undefined
    const pages = { ...this.#ofAll, ...this.#ofWay[protection] }
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const key = `${method} ${path}`
    return Object.hasOwn(pages, key) ? pages[key] : undefined
  }

  /** For a reader who gets nothing here before they sign in. */
  askToSignIn({
    request,
    response,
    view,
    reader,
  }: Pick<SiteRequest, 'request' | 'response' | 'view' | 'reader'>): void {
    const isBrowser = wantsPage(request) && request.headers.accept?.includes('text/html') === true
    if (!isBrowser || request.headers.authorization !== undefined) {
      askForToken(response, reader)
      return
    }
    const to = encodeURIComponent(request.url ?? '/')
    response
      .writeHead(302, {
        ...ALWAYS,
        location: `${view.basePath}/login?to=${to}`,
        'cache-control': 'no-store',
      })
      .end()
  }
}

function pagesOfWays(deps: ReaderPageDeps): PagesOfWays {
  const password = createPasswordSignIn(deps)
  const members = createMembersSignIn(deps)
  const oidc = createOidcSignIn(deps)
  const jwt = createJwtSignIn(deps)
  return {
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
}

/** Whoever is signed in goes on; the others begin. */
const unlessSignedIn =
  (begin: Answer): Answer =>
  async (exchange) =>
    exchange.reader.kind === 'signed-in' ? { kind: 'redirect', url: exchange.to } : begin(exchange)

function pagesOfAll(deps: ReaderPageDeps): Pages {
  return {
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

/** A path without the base path; nothing for one that is not below it. */
function pathBelow(basePath: string, pathname: string): string | undefined {
  if (isMetadataPath(pathname, basePath)) return METADATA_PATH
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined
}
