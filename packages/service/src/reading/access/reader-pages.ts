/** Routes of the pages on which readers of a private site sign in and out. */
import type { ReaderSignInMethod } from '@octavo/contract'
import { renderSignedOut, renderSignOutForm } from '@octavo/dashboard'
import { POST, READ, wantsPage } from '../../platform/http/reader-request.ts'
import { ALWAYS, sendUnauthorized } from '../../platform/http/send-response.ts'
import { PROBLEMS, Problem } from '../../platform/problem.ts'
import type { SiteExchange, SiteRoute } from '../hosting/site-router.ts'
import { endedReaderCookie, endSession, type SessionDeps } from './begin-session.ts'
import { createJwtSignIn } from './jwt-sign-in.ts'
import { createMembersSignIn, type MembersDeps } from './members-sign-in.ts'
import { createOidcSignIn, type OidcSignInDeps } from './oidc-sign-in.ts'
import { createPasswordSignIn, type PasswordDeps } from './password-sign-in.ts'
import { isMetadataPath, METADATA_PATH } from './protected-resource.ts'
import {
  endedAttemptCookie,
  exchangeOf,
  READER_BODY_BYTES_MAX,
  type READER_PATHS,
  type ReaderExchange,
  type ReaderReply,
  readOwnForm,
  refusal,
  sendReaderReply,
} from './reader-exchange.ts'

type Answer = (exchange: ReaderExchange) => Promise<ReaderReply>
type Page = readonly [
  methods: ReadonlySet<string>,
  path: (typeof READER_PATHS)[number],
  answer: Answer,
]

export function readerPages(
  deps: PasswordDeps & MembersDeps & OidcSignInDeps,
): readonly SiteRoute[] {
  const { protocol } = new URL(deps.url)
  const password = createPasswordSignIn(deps)
  const members = createMembersSignIn(deps)
  const oidc = createOidcSignIn(deps)
  const jwt = createJwtSignIn(deps)
  const handlerOf = (answer: Answer) => async (exchange: SiteExchange) =>
    sendReaderReply(exchange.response, await run(answer, exchangeOf(exchange, protocol)))
  const routesOf = (isFor: IsFor, pages: readonly Page[]) =>
    pages.map(
      ([methods, path, answer]): SiteRoute => ({
        paths: [path],
        after: 'base',
        methods,
        bodyBytesMax: methods === POST ? READER_BODY_BYTES_MAX : 0,
        metric: 'site',
        isFor,
        handle: handlerOf(answer),
      }),
    )
  const metadata: SiteRoute = {
    // At the root of the host, the path of the MCP server may follow.
    paths: [METADATA_PATH, `${METADATA_PATH}/`],
    after: 'either',
    methods: READ,
    bodyBytesMax: 0,
    metric: 'site',
    isFor: (exchange) =>
      isPrivate(exchange) && isMetadataPath(exchange.pathname, exchange.view.basePath),
    handle: handlerOf(oidc.describe),
  }
  return [
    ...routesOf(hasSignInMethod('password'), [
      [READ, '/login', unlessSignedIn(async (exchange) => password.show(exchange))],
      [POST, '/login', password.signIn],
    ]),
    ...routesOf(hasSignInMethod('members'), [
      [READ, '/login', unlessSignedIn(members.begin)],
      [READ, '/login/code', members.finish],
    ]),
    ...routesOf(hasSignInMethod('oidc'), [
      [READ, '/login', unlessSignedIn(oidc.begin)],
      [READ, '/login/callback', oidc.finish],
    ]),
    ...routesOf(hasSignInMethod('jwt'), [
      [READ, '/login', unlessSignedIn(jwt.begin)],
      [READ, '/login/jwt-callback', jwt.arrive],
      [POST, '/login/jwt-callback', jwt.finish],
    ]),
    ...routesOf(isPrivate, [
      [READ, '/logout', showSignOut],
      [POST, '/logout', (exchange) => signOut(deps, exchange)],
    ]),
    metadata,
  ]
}

type IsFor = (exchange: SiteExchange) => boolean
const isPrivate: IsFor = ({ pointer }) => pointer.protection !== 'public'
const hasSignInMethod =
  (way: Exclude<ReaderSignInMethod, 'token'>): IsFor =>
  ({ pointer }) =>
    pointer.protection === way

/** Redirects readers who are already signed in, and starts the sign-in for all others. */
const unlessSignedIn =
  (begin: Answer): Answer =>
  async (exchange) =>
    exchange.reader.kind === 'signed-in' ? { kind: 'redirect', url: exchange.to } : begin(exchange)

async function showSignOut({ basePath: base, host }: ReaderExchange): Promise<ReaderReply> {
  const html = renderSignOutForm({ base, host, action: `${base}/logout` })
  return { kind: 'page', status: 200, html }
}

async function signOut(deps: SessionDeps, exchange: ReaderExchange): Promise<ReaderReply> {
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
}

async function run(answer: Answer, exchange: ReaderExchange): Promise<ReaderReply> {
  try {
    return await answer(exchange)
  } catch (error) {
    // Other errors are handled by the caller, such as an unavailable database.
    if (!(error instanceof Problem)) throw error
    return refusal(exchange, error.message, PROBLEMS[error.code].status)
  }
}

/** Sends a browser to the sign-in page. Other clients get the status 401. */
export function requestSignIn({ request, response, view, reader }: SiteExchange): void {
  const isBrowser = wantsPage(request) && request.headers.accept?.includes('text/html') === true
  if (!isBrowser || request.headers.authorization !== undefined) {
    sendUnauthorized(response, reader)
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
