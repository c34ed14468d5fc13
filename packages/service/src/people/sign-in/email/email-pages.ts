/**
 * Sign-in with a code by e-mail. The pages never reveal whether an address is known: every address
 * gets the same page and a database row, but an unknown address gets no e-mail.
 */
import { randomInt } from 'node:crypto'
import { renderConfirm, renderMessage, renderSignInCode } from '@octavo/dashboard'
import { z } from 'zod'
import { addressPrefix } from '../../../platform/audit/store.ts'
import { countAttempt } from '../../../platform/limits/hourly-limit.ts'
import type { Mailer } from '../../../platform/mail/mailer.ts'
import { codeMail } from '../../../platform/mail/mails.ts'
import { findByHash } from '../../../platform/secrets/pepper-ring.ts'
import { createToken, isWellFormedToken } from '../../../platform/secrets/token.ts'
import { admissionOf } from '../../sign-in-settings.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { readForm, safePath } from '../forms.ts'
import { nameFor, typedNameIn, withTypedName } from '../invitations.ts'
import {
  type Exchange,
  htmlPage,
  networkOf,
  pagesWith,
  redirect,
  type SignInDeps,
  type WebPage,
} from '../page.ts'
import { logRefusedSignIn } from '../refused-sign-ins.ts'
import { createCodeStore, signInByEmail, type TriedCode } from './code-store.ts'

const COOKIE = '__Host-octavo-email'
const MINUTES = 10
const ATTEMPTS_MAX = 5
const NEXT_LENGTH_MAX = 2_000
const DIGITS = 6
const CODES_OF_ADDRESS = { action: 'code-address', perHour: 20 }
/**
 * The limit for one mailbox and one network. Requests from other networks are counted separately.
 */
const CODES_OF_PAIR = { action: 'code-pair', perHour: 10 }
/** The limit for one mailbox from all networks, so that it cannot be flooded. */
const CODES_OF_EMAIL = { action: 'code-email', perHour: 50 }
const ATTEMPTS_PER_ADDRESS = { action: 'code-try', perHour: 100 }
const Email = z.email().max(254).toLowerCase()
const TOO_MANY =
  'Too many attempts from your network. Try again in an hour, or ask the operator of the service for a login link.'
const EXPIRED = 'This code has expired, or there were too many attempts. Request a new code.'

type Context = SignInDeps & {
  readonly mailer: Mailer
  readonly codes: ReturnType<typeof createCodeStore>
}

export function emailPages(deps: SignInDeps): readonly WebPage[] {
  const { mailer } = deps
  if (mailer === undefined || deps.settings.isOidcOnly) return []
  return pagesWith({ ...deps, mailer, codes: createCodeStore(deps.database) }, [
    ['/sign-in/email', ask],
    ['/sign-in/email/code', submitCode],
    ['/sign-in/email/:token', openLink],
  ])
}

/** Sends a code and shows the form to enter it. */
async function ask(context: Context, exchange: Exchange): Promise<Response> {
  const { showSignIn } = context
  const { request, gate } = exchange
  if (request.method !== 'POST') return redirect('/sign-in')
  const form = await readForm(request)
  const next = pathOf(withTypedName(pathOf(form.get('next')), form.get('name')))
  const email = Email.safeParse(form.get('email')?.trim())
  if (!email.success)
    return showSignIn({ gate, next, error: 'Enter an e-mail address.', status: 422 })
  if (!(await countAttempt(context, CODES_OF_ADDRESS, networkOf(exchange))))
    return showSignIn({ gate, next, error: TOO_MANY, status: 429 })
  const browser = browserOf(request) ?? createToken('link')
  const isFew =
    (await countAttempt(context, CODES_OF_PAIR, `${networkOf(exchange)} ${email.data}`)) &&
    (await countAttempt(context, CODES_OF_EMAIL, email.data))
  if (isFew) await send(context, { browser, email: email.data, next })
  const page = renderSignInCode({ ...gate, email: email.data, next, formToken: '' })
  const response = htmlPage(page)
  response.headers.append('set-cookie', setCookie(COOKIE, browser, MINUTES * 60))
  return response
}

async function send(
  { codes, pepper, settings, origin, mailer }: Context,
  { browser, email, next }: Readonly<Record<'browser' | 'email' | 'next', string>>,
): Promise<void> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const link = createToken('link')
  await codes.add({
    browserHash: pepper.hash('e-mail browser', browser),
    codeHash: pepper.hash('e-mail code', `${browser} ${code}`),
    linkHash: pepper.hash('e-mail link', link),
    email,
    next,
    tries: ATTEMPTS_MAX,
    minutes: MINUTES,
  })
  if (!(await codes.maySignIn(email, admissionOf(settings.signUp, email)))) return
  const address = new URL(`/sign-in/email/${link}`, origin).href
  mailer.send(codeMail(email, { code, link: address, minutes: MINUTES }))
}

/** Checks a code in the browser that requested it. */
async function submitCode(context: Context, exchange: Exchange): Promise<Response> {
  const { showSignIn } = context
  const { request, gate } = exchange
  if (request.method !== 'POST') return redirect('/sign-in')
  const form = await readForm(request)
  const next = pathOf(form.get('next'))
  if (!(await countAttempt(context, ATTEMPTS_PER_ADDRESS, networkOf(exchange))))
    return showSignIn({ gate, next, error: TOO_MANY, status: 429 })
  const browser = browserOf(request)
  const typed = (form.get('code') ?? '').replaceAll(/\D/g, '')
  const tried = browser === undefined ? undefined : await tryCode(context, { browser, code: typed })
  if (tried === undefined) return showSignIn({ gate, next, error: EXPIRED, status: 403 })
  if (tried.outcome === 'right') return finish(context, exchange, tried)
  if (tried.left === 0) {
    const refused = { method: 'email', reason: 'wrong-code', attempts: ATTEMPTS_MAX }
    await logRefusedSignIn(context, tried.email, { ...refused, network: networkOf(exchange) })
    return showSignIn({ gate, next, error: EXPIRED, status: 403 })
  }
  const error = `The code is wrong. ${tried.left === 1 ? 'One attempt is' : `${tried.left} attempts are`} left.`
  const { email } = tried
  return htmlPage(renderSignInCode({ ...gate, email, next, error, formToken: '' }), 403)
}

/**
 * Tries a code with every pepper. The browser and its code are hashed with the same pepper, so
 * their hashes are tried in pairs.
 */
async function tryCode(
  { codes, pepper }: Context,
  { browser, code }: Readonly<Record<'browser' | 'code', string>>,
): Promise<TriedCode | undefined> {
  const codeHashes = pepper.hashes('e-mail code', `${browser} ${code}`)
  for (const [index, browserHash] of pepper.hashes('e-mail browser', browser).entries()) {
    const codeHash = codeHashes[index]
    const tried = codeHash && (await codes.try(browserHash, codeHash))
    if (tried !== undefined) return tried
  }
  return undefined
}

/**
 * Opens the link from the e-mail, in any browser. GET only shows a button, since scanners open
 * every link.
 */
async function openLink(context: Context, exchange: Exchange): Promise<Response> {
  const { pepper, codes, showSignIn } = context
  const { request, url, params, gate } = exchange
  const { token = '' } = params
  const hashes = isWellFormedToken(token) ? pepper.hashes('e-mail link', token) : []
  const known = await findByHash(hashes, codes.readLink)
  if (known === undefined) return showSignIn({ gate, next: '/', error: EXPIRED, status: 404 })
  if (request.method !== 'POST')
    return htmlPage(
      renderConfirm({
        ...gate,
        title: 'Sign in',
        text: `You are signing in as ${known.found.email}. The link works once, for another ${Math.ceil(known.found.secondsLeft / 60)} minutes.`,
        action: url.pathname,
        button: 'Sign in',
        fields: {},
      }),
    )
  const spent = await codes.spendLink(known.hash)
  if (spent === undefined) return showSignIn({ gate, next: '/', error: EXPIRED, status: 404 })
  return finish(context, exchange, spent)
}

async function finish(
  { database, settings }: Context,
  { gate, signIn, clientAddress }: Exchange,
  { email, next }: { readonly email: string; readonly next: string },
): Promise<Response> {
  const userId = await signInByEmail(database, email, {
    ...admissionOf(settings.signUp, email),
    name: nameFor(email, typedNameIn(next)),
    addressPrefix: addressPrefix(clientAddress),
  })
  if (userId === undefined) {
    const text = 'There is no account for this address. Ask an owner for an invitation.'
    return htmlPage(renderMessage({ ...gate, title: 'Not signed in', text }), 403)
  }
  const response = await signIn({ userId, isVerified: true }, { next, method: 'email' })
  response.headers.append('set-cookie', setCookie(COOKIE, '', 0))
  return response
}

function browserOf(request: Request): string | undefined {
  const token = readCookie(request, COOKIE)
  return token !== undefined && isWellFormedToken(token) ? token : undefined
}

function pathOf(next: string | null): string {
  const path = safePath(next)
  return path.length > NEXT_LENGTH_MAX ? '/' : path
}
