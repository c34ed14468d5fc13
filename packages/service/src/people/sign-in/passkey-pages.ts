/**
 * Passkeys in the browser: signing in with one, adding one, and signing in with a recovery code
 * instead.
 */
import { renderRecovery } from '@octavo/dashboard'
import { countAttempt } from '../../platform/limits/hourly-limit.ts'
import { asProblem, PROBLEMS, problemBody } from '../../platform/problem.ts'
import { findByHash } from '../../platform/secrets/pepper-ring.ts'
import { createToken, isWellFormedToken } from '../../platform/secrets/token.ts'
import { readCookie, setCookie } from './cookies.ts'
import { readForm, readOwnForm, safePath } from './forms.ts'
import {
  type Exchange,
  htmlPage,
  networkOf,
  pagesWith,
  redirect,
  type SignInDeps,
  type WebPage,
} from './page.ts'
import { Passkeys } from './passkeys/passkeys.ts'
import { readRecoveryCode } from './passkeys/recovery-codes.ts'
import { spendRecoveryCode } from './passkeys/store.ts'
import { refusal } from './refusal.ts'
import { logRefusedPerson, logRefusedSignIn } from './refused-sign-ins.ts'

const COOKIE = '__Host-octavo-passkey'
const SECONDS = 5 * 60
const LIMIT_PER_ADDRESS = { action: 'passkey-address', perHour: 200 }
const RECOVERY_OF_ADDRESS = { action: 'recovery-address', perHour: 20 }
/**
 * The limit for one account and one network, so that other networks cannot use up the owner's
 * attempts. Codes have 80 bits.
 */
const RECOVERY_OF_PAIR = { action: 'recovery-pair', perHour: 10 }
const ACCOUNT = '/account'

type Context = SignInDeps & { readonly passkeys: Passkeys }

export function passkeyPages(deps: SignInDeps): readonly WebPage[] {
  if (deps.settings.isOidcOnly) return []
  return pagesWith({ ...deps, passkeys: new Passkeys(deps) }, [
    ['/sign-in/passkey/options', requestOptions],
    ['/sign-in/passkey', signInWithPasskey],
    ['/sign-in/recovery', recover],
    ['/account/passkeys/options', registrationOptions],
    ['/account/passkeys', register],
  ])
}

/** Returns a challenge for this browser. */
async function requestOptions(context: Context, exchange: Exchange): Promise<Response> {
  const { request } = exchange
  if (request.method !== 'POST') return redirect('/sign-in')
  if (!(await countAttempt(context, LIMIT_PER_ADDRESS, networkOf(exchange)))) return tooMany()
  const browser = createToken('link')
  const response = Response.json(await context.passkeys.requestOptions(browser))
  response.headers.append('set-cookie', setCookie(COOKIE, browser, SECONDS))
  return response
}

async function signInWithPasskey(context: Context, exchange: Exchange): Promise<Response> {
  const { passkeys, showSignIn } = context
  const { request, gate } = exchange
  if (request.method !== 'POST') return redirect('/sign-in')
  const form = await readForm(request)
  const next = safePath(form.get('next'))
  const browser = readCookie(request, COOKIE) ?? ''
  const found = isWellFormedToken(browser)
    ? await passkeys.authenticate(browser, readJson(form.get('credential')))
    : undefined
  if (found?.isRefused === true) {
    const refused = { method: 'passkey', reason: 'not-accepted', network: networkOf(exchange) }
    await logRefusedPerson(context, found.userId, refused)
  }
  const response =
    found === undefined || found.isRefused
      ? showSignIn({
          gate,
          next,
          error: 'This passkey is not registered with this service.',
          status: 403,
        })
      : await exchange.signIn(found, { next, method: 'passkey' })
  response.headers.append('set-cookie', setCookie(COOKIE, '', 0))
  return response
}

async function registrationOptions(
  { pepper, callApiAs }: Context,
  exchange: Exchange,
): Promise<Response> {
  if (exchange.request.method !== 'POST') return redirect(ACCOUNT)
  try {
    await readOwnForm(exchange, pepper)
    return await callApiAs(exchange, '/v1/me/passkeys/options')
  } catch (error) {
    // Return JSON, since a script reads this response.
    const problem = asProblem(error)
    return Response.json(problemBody(problem, ''), { status: PROBLEMS[problem.code].status })
  }
}

async function register({ pepper, callApiAs }: Context, exchange: Exchange): Promise<Response> {
  if (exchange.request.method !== 'POST') return redirect(ACCOUNT)
  const { form } = await readOwnForm(exchange, pepper)
  const name = form.get('name')?.trim() || 'Passkey'
  const credential = readJson(form.get('credential'))
  const reply = await callApiAs(exchange, '/v1/me/passkeys', { name, credential })
  return reply.ok ? redirect(safePath(form.get('next') ?? ACCOUNT)) : refusal(exchange, reply)
}

async function recover(context: Context, exchange: Exchange): Promise<Response> {
  const { request, gate } = exchange
  const page = (error?: string, status = 200) =>
    htmlPage(renderRecovery({ ...gate, action: '/sign-in/recovery', error }), status)
  if (request.method !== 'POST') return page()
  const form = await readForm(request)
  const email = (form.get('email') ?? '').trim().toLowerCase().slice(0, 254)
  const isFew =
    (await countAttempt(context, RECOVERY_OF_ADDRESS, networkOf(exchange))) &&
    (await countAttempt(context, RECOVERY_OF_PAIR, `${networkOf(exchange)} ${email}`))
  if (!isFew) return page('Too many attempts. Try again in an hour.', 429)
  const { database, pepper } = context
  const hashes = pepper.hashes('recovery code', readRecoveryCode(form.get('code') ?? ''))
  const spent = await findByHash(hashes, (hash) => spendRecoveryCode(database, email, hash))
  if (spent === undefined) {
    const refused = { method: 'recovery-code', reason: 'wrong-code', network: networkOf(exchange) }
    await logRefusedSignIn(context, email, refused)
    return page('The address or the code is wrong, or the code was already used.', 403)
  }
  return exchange.signIn(spent.found, { next: ACCOUNT, method: 'recovery-code' })
}

function tooMany(): Response {
  return Response.json({ detail: 'Too many attempts. Try again in an hour.' }, { status: 429 })
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
