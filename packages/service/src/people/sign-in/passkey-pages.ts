/** Passkeys in the browser: signing in with one, adding one, and signing in with a recovery code instead. */
import { renderRecovery } from '@octavo/dashboard'
import type { Database } from '../../platform/database/database.ts'
import { countTry } from '../../platform/limits/hourly-limit.ts'
import { asProblem, PROBLEMS, Problem, problemBody } from '../../platform/problem.ts'
import { findByHash, type PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken, isWellFormedToken } from '../../platform/secrets/token.ts'
import type { SignInSettings } from '../sign-in-settings.ts'
import { readCookie, setCookie } from './cookies.ts'
import { readForm, requireFormToken, safePath } from './forms.ts'
import { type Exchange, htmlPage, networkOf, redirect, type SignInPage } from './page.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { readRecoveryCode } from './passkeys/recovery-codes.ts'
import { spendRecoveryCode } from './passkeys/store.ts'
import { type CallApiAs, refusal } from './refusal.ts'
import type { ShowSignIn } from './ways.ts'

export type PasskeyPageDeps = {
  readonly database: Database
  readonly settings: SignInSettings
  readonly pepper: PepperRing
  readonly url: string
  readonly showSignIn: ShowSignIn
  readonly callApiAs: CallApiAs
  readonly now: () => number
}

const COOKIE = '__Host-octavo-passkey'
const SECONDS = 5 * 60
const OF_ADDRESS = { action: 'passkey-address', perHour: 200 }
const RECOVERY_OF_ADDRESS = { action: 'recovery-address', perHour: 20 }
/** For one account from one network: other networks cannot use up the tries of the owner, and codes have 80 bits. */
const RECOVERY_OF_PAIR = { action: 'recovery-pair', perHour: 10 }
const ACCOUNT = '/account'

export function passkeyPages(deps: PasskeyPageDeps): readonly SignInPage[] {
  const { database, pepper, showSignIn } = deps
  if (deps.settings.isOidcOnly) return []
  const passkeys = createPasskeys(deps)

  /** A challenge for this browser. */
  async function requestOptions(exchange: Exchange): Promise<Response> {
    const { request } = exchange
    if (request.method !== 'POST') return redirect('/sign-in')
    if (!(await countTry(deps, OF_ADDRESS, networkOf(exchange)))) return tooMany()
    const browser = createToken('link')
    const response = Response.json(await passkeys.requestOptions(browser))
    response.headers.append('set-cookie', setCookie(COOKIE, browser, SECONDS))
    return response
  }

  async function signInWithPasskey(exchange: Exchange): Promise<Response> {
    const { request, gate } = exchange
    if (request.method !== 'POST') return redirect('/sign-in')
    const form = await readForm(request)
    const next = safePath(form.get('next'))
    const browser = readCookie(request, COOKIE) ?? ''
    const found = isWellFormedToken(browser)
      ? await passkeys.authenticate(browser, readJson(form.get('credential')))
      : undefined
    const response =
      found === undefined
        ? showSignIn({ gate, next, error: 'This passkey is not known here.', status: 403 })
        : await exchange.signIn(found, next)
    response.headers.append('set-cookie', setCookie(COOKIE, '', 0))
    return response
  }

  /** The form of somebody who is signed in, with its token. */
  async function readOwnForm({ request, person }: Exchange): Promise<URLSearchParams> {
    if (person === undefined)
      throw new Problem('unauthorized', 'You are signed out. Sign in again.')
    const form = await readForm(request)
    requireFormToken(form, person, pepper)
    return form
  }

  async function registrationOptions(exchange: Exchange): Promise<Response> {
    if (exchange.request.method !== 'POST') return redirect(ACCOUNT)
    try {
      await readOwnForm(exchange)
      return await deps.callApiAs(exchange, '/v1/me/passkeys/options')
    } catch (error) {
      // A script reads this one.
      const problem = asProblem(error)
      return Response.json(problemBody(problem, ''), { status: PROBLEMS[problem.code].status })
    }
  }

  async function register(exchange: Exchange): Promise<Response> {
    if (exchange.request.method !== 'POST') return redirect(ACCOUNT)
    const form = await readOwnForm(exchange)
    const name = form.get('name')?.trim() || 'Passkey'
    const credential = readJson(form.get('credential'))
    const reply = await deps.callApiAs(exchange, '/v1/me/passkeys', { name, credential })
    return reply.ok ? redirect(safePath(form.get('next') ?? ACCOUNT)) : refusal(exchange, reply)
  }

  async function recover(exchange: Exchange): Promise<Response> {
    const { request, gate } = exchange
    const page = (error?: string, status = 200) =>
      htmlPage(renderRecovery({ ...gate, action: '/sign-in/recovery', error }), status)
    if (request.method !== 'POST') return page()
    const form = await readForm(request)
    const email = (form.get('email') ?? '').trim().toLowerCase().slice(0, 254)
    const isFew =
      (await countTry(deps, RECOVERY_OF_ADDRESS, networkOf(exchange))) &&
      (await countTry(deps, RECOVERY_OF_PAIR, `${networkOf(exchange)} ${email}`))
    if (!isFew) return page('Too many tries. Wait for an hour.', 429)
    const hashes = pepper.hashes('recovery code', readRecoveryCode(form.get('code') ?? ''))
    const spent = await findByHash(hashes, (hash) => spendRecoveryCode(database, email, hash))
    if (spent === undefined)
      return page('This code and this address do not belong together, or the code was used.', 403)
    return exchange.signIn(spent.found, ACCOUNT)
  }

  return [
    { pattern: /^\/sign-in\/passkey\/options$/, answer: requestOptions },
    { pattern: /^\/sign-in\/passkey$/, answer: signInWithPasskey },
    { pattern: /^\/sign-in\/recovery$/, answer: recover },
    { pattern: /^\/account\/passkeys\/options$/, answer: registrationOptions },
    { pattern: /^\/account\/passkeys$/, answer: register },
  ]
}

function tooMany(): Response {
  return Response.json({ detail: 'Too many tries. Wait for an hour.' }, { status: 429 })
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
