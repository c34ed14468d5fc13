/**
 * Asks a person whose account was created by a link to add a sign-in method. Without one, the end
 * of the session would lock them out.
 */
import { renderKeepAccess, renderRecoveryCodes } from '@octavo/dashboard'
import { z } from 'zod'
import type { SignedIn } from '../../platform/http/caller.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { formTokenOf, readOwnForm, safePath } from './forms.ts'
import {
  type Exchange,
  htmlPage,
  pagesWith,
  redirect,
  type SignInDeps,
  type WebPage,
} from './page.ts'
import { refusal } from './refusal.ts'

const KEEP_ACCESS = '/keep-access'
const ACCOUNT = '/account'
const PASSKEY_NAME_LENGTH_MAX = 100

/** Paths that stay open to a person without a sign-in method. */
const OPEN_PATH =
  /^\/(?:keep-access|sign-in|sign-out|setup|login|invitations|account\/(?:passkeys|recovery-codes))(?:\/|$)/

/** Redirects a person who has to add a sign-in method first; undefined for everyone else. */
export function redirectToKeepAccess(url: URL, person: SignedIn | undefined): Response | undefined {
  if (person?.mustKeepAccess !== true || OPEN_PATH.test(url.pathname)) return undefined
  return redirect(keepAccessAt(url.pathname + url.search))
}

const keepAccessAt = (next: string) =>
  next === '/' ? KEEP_ACCESS : `${KEEP_ACCESS}?next=${encodeURIComponent(next)}`

export const keepAccessPages = (deps: SignInDeps): readonly WebPage[] =>
  pagesWith(deps, [
    [KEEP_ACCESS, showSignInMethods],
    [`${KEEP_ACCESS}/codes`, showCodes(KEEP_ACCESS)],
    [`${KEEP_ACCESS}/saved`, markCodesSaved],
    [`${ACCOUNT}/recovery-codes`, showCodes(ACCOUNT)],
  ])

type SignInMethodsPage = {
  readonly person: SignedIn
  readonly next: string
  readonly error?: string
}

function renderSignInMethods(
  { settings: { isOidcOnly, providers }, pepper, passkeyProblem }: SignInDeps,
  { gate, request }: Exchange,
  { person, next, error }: SignInMethodsPage,
): string {
  const agent = deviceOf(request.headers.get('user-agent') ?? '') || 'Passkey'
  const hasPasskeys = !isOidcOnly && passkeyProblem === undefined
  return renderKeepAccess({
    ...gate,
    formToken: formTokenOf(person, pepper),
    email: person.email,
    next,
    passkeyName: hasPasskeys ? agent.slice(0, PASSKEY_NAME_LENGTH_MAX) : undefined,
    passkeyProblem: isOidcOnly ? undefined : passkeyProblem,
    codes: !isOidcOnly,
    providers: providers.map(({ id, name }) => ({
      name,
      url: `/sign-in/oidc/${id}?next=${encodeURIComponent(next)}`,
    })),
    isRequired: person.mustKeepAccess,
    error,
  })
}

async function showSignInMethods(deps: SignInDeps, exchange: Exchange): Promise<Response> {
  const { url, person } = exchange
  const next = safePath(url.searchParams.get('next'))
  if (person === undefined) return redirect(`/sign-in?next=${encodeURIComponent(KEEP_ACCESS)}`)
  if (person.canSignInAgain) return redirect(next)
  return htmlPage(renderSignInMethods(deps, exchange, { person, next }))
}

/**
 * Creates and shows new recovery codes each time: earlier ones are stored as hashes and cannot be
 * shown again.
 */
const showCodes =
  (back: string) =>
  async ({ settings, pepper, origin, callApiAs }: SignInDeps, exchange: Exchange) => {
    if (exchange.request.method !== 'POST') return redirect(back)
    const { form, person } = await readOwnForm(exchange, pepper)
    if (settings.isOidcOnly) return redirect(back)
    const reply = await callApiAs(exchange, '/v1/me/recovery-codes')
    if (!reply.ok) return refusal(exchange, reply)
    const { codes } = Codes.parse(await reply.json())
    return htmlPage(
      renderRecoveryCodes({
        ...exchange.gate,
        formToken: formTokenOf(person, pepper),
        codes,
        email: person.email,
        url: origin,
        next: safePath(form.get('next') ?? back),
      }),
    )
  }

async function markCodesSaved(deps: SignInDeps, exchange: Exchange): Promise<Response> {
  if (exchange.request.method !== 'POST') return redirect(KEEP_ACCESS)
  const { form, person } = await readOwnForm(exchange, deps.pepper)
  const next = safePath(form.get('next'))
  const refused = (error: string, status: number) =>
    htmlPage(renderSignInMethods(deps, exchange, { person, next, error }), status)
  if (form.get('saved') !== 'yes')
    return refused(
      'Confirm that you saved the codes. These codes cannot be shown again, so create new ones.',
      422,
    )
  const code = form.get('code') ?? ''
  const reply = await deps.callApiAs(exchange, '/v1/me/recovery-codes/saved', { code })
  if (reply.ok) return redirect(next)
  const { detail } = z.object({ detail: z.string() }).parse(await reply.json())
  return refused(detail, reply.status)
}

const Codes = z.object({ codes: z.array(z.string()) })
