/** A way back in for a person whose account a link made: without one, the end of the session would lock them out. */
import { renderKeepAccess, renderRecoveryCodes } from '@octavo/dashboard'
import { z } from 'zod'
import type { SignedIn } from '../../platform/http/caller.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { deviceOf } from '../sessions/sessions.ts'
import type { SignInSettings } from '../sign-in-settings.ts'
import { formTokenOf, readForm, requireFormToken, safePath } from './forms.ts'
import { type Exchange, htmlPage, redirect, type SignInPage } from './page.ts'
import { type CallApiAs, refusal } from './refusal.ts'

export type KeepAccessDeps = {
  readonly settings: SignInSettings
  readonly pepper: PepperRing
  /** The origin of the service. */
  readonly origin: string
  readonly passkeyProblem: string | undefined
  readonly callApiAs: CallApiAs
}

const KEEP_ACCESS = '/keep-access'
const ACCOUNT = '/account'
const PASSKEY_NAME_LENGTH_MAX = 100

/** Pages that a person without a way back can open: these, and signing in or out. */
const OPEN_PATH =
  /^\/(?:keep-access|sign-in|sign-out|setup|login|invitations|account\/(?:passkeys|recovery-codes))(?:\/|$)/

/** The page for a person who has to add a way back in first; undefined for everyone else. */
export function keepAccessFirst(url: URL, person: SignedIn | undefined): Response | undefined {
  if (person?.mustKeepAccess !== true || OPEN_PATH.test(url.pathname)) return undefined
  return redirect(keepAccessAt(url.pathname + url.search))
}

const keepAccessAt = (next: string) =>
  next === '/' ? KEEP_ACCESS : `${KEEP_ACCESS}?next=${encodeURIComponent(next)}`

export function keepAccessPages(deps: KeepAccessDeps): readonly SignInPage[] {
  const { settings, pepper } = deps
  const { isOidcOnly, providers } = settings

  function page(
    { gate, request }: Exchange,
    person: SignedIn,
    { next, error }: { readonly next: string; readonly error?: string },
  ): string {
    const agent = deviceOf(request.headers.get('user-agent') ?? '') || 'Passkey'
    const hasPasskeys = !isOidcOnly && deps.passkeyProblem === undefined
    return renderKeepAccess({
      ...gate,
      formToken: formTokenOf(person, pepper),
      email: person.email,
      next,
      passkeyName: hasPasskeys ? agent.slice(0, PASSKEY_NAME_LENGTH_MAX) : undefined,
      passkeyProblem: isOidcOnly ? undefined : deps.passkeyProblem,
      codes: !isOidcOnly,
      providers: providers.map(({ id, name }) => ({
        name,
        url: `/sign-in/oidc/${id}?next=${encodeURIComponent(next)}`,
      })),
      isRequired: person.mustKeepAccess,
      error,
    })
  }

  async function showWays(exchange: Exchange): Promise<Response> {
    const { url, person } = exchange
    const next = safePath(url.searchParams.get('next'))
    if (person === undefined) return redirect(`/sign-in?next=${encodeURIComponent(KEEP_ACCESS)}`)
    if (person.hasWayBack) return redirect(next)
    return htmlPage(page(exchange, person, { next }))
  }

  async function readOwnForm({ request, person }: Exchange) {
    if (person === undefined)
      throw new Problem('unauthorized', 'You are signed out. Sign in again.')
    const form = await readForm(request)
    requireFormToken(form, person, pepper)
    return { form, person }
  }

  /** New codes each time: those of before are hashes, which nothing can show again. */
  const showCodes = (back: string) => async (exchange: Exchange) => {
    if (exchange.request.method !== 'POST') return redirect(back)
    const { form, person } = await readOwnForm(exchange)
    if (isOidcOnly) return redirect(back)
    const reply = await deps.callApiAs(exchange, '/v1/me/recovery-codes')
    if (!reply.ok) return refusal(exchange, reply)
    const { codes } = Codes.parse(await reply.json())
    return htmlPage(
      renderRecoveryCodes({
        ...exchange.gate,
        formToken: formTokenOf(person, pepper),
        codes,
        email: person.email,
        url: deps.origin,
        next: safePath(form.get('next') ?? back),
      }),
    )
  }

  async function noteSaved(exchange: Exchange): Promise<Response> {
    if (exchange.request.method !== 'POST') return redirect(KEEP_ACCESS)
    const { form, person } = await readOwnForm(exchange)
    const next = safePath(form.get('next'))
    const refused = (error: string, status: number) =>
      htmlPage(page(exchange, person, { next, error }), status)
    if (form.get('saved') !== 'yes')
      return refused(
        'Save the codes, and say that you did. Show new ones, since these are gone.',
        422,
      )
    const code = form.get('code') ?? ''
    const reply = await deps.callApiAs(exchange, '/v1/me/recovery-codes/saved', { code })
    if (reply.ok) return redirect(next)
    const { detail } = z.object({ detail: z.string() }).parse(await reply.json())
    return refused(detail, reply.status)
  }

  return [
    { pattern: /^\/keep-access$/, answer: showWays },
    { pattern: /^\/keep-access\/codes$/, answer: showCodes(KEEP_ACCESS) },
    { pattern: /^\/keep-access\/saved$/, answer: noteSaved },
    { pattern: /^\/account\/recovery-codes$/, answer: showCodes(ACCOUNT) },
  ]
}

const Codes = z.object({ codes: z.array(z.string()) })
