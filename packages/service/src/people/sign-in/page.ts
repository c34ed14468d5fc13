/** The service's own pages for browsers, and what their handlers receive. */
import type { GateOptions, ScreenRoute } from '@octavo/dashboard'
import { addressPrefix } from '../../platform/audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { FoundPerson, SignInMethod } from '../sessions/sessions.ts'
import type { SignInSettings } from '../sign-in-settings.ts'
import type { CallApiAs } from './refusal.ts'
import type { ShowSignIn } from './show-sign-in.ts'

export type Exchange = {
  readonly request: Request
  readonly url: URL
  readonly clientAddress: string | undefined
  /** The person who is signed in, or undefined. */
  readonly person: SignedIn | undefined
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  /** Shared options for rendering, such as the stylesheet. */
  readonly gate: GateOptions
  /** Signs a person in to this browser and redirects to `next`. */
  readonly signIn: (
    person: FoundPerson,
    to: { readonly next: string; readonly method: SignInMethod },
  ) => Promise<Response>
}

export type SignInDeps = {
  readonly database: Database
  readonly settings: SignInSettings
  readonly pepper: PepperRing
  /** The service's base URL. */
  readonly url: string
  readonly origin: string
  /** True over HTTPS or on this machine: otherwise browsers do not store the session cookie. */
  readonly isSecure: boolean
  readonly passkeyProblem: string | undefined
  readonly showSignIn: ShowSignIn
  readonly callApiAs: CallApiAs
  /** Undefined if the service cannot send e-mail. */
  readonly mailer: Mailer | undefined
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export type WebPage = {
  /** If undefined, the page handles all methods. */
  readonly method?: ScreenRoute['method']
  /** A path with parameters such as `:token`. */
  readonly path: string
  readonly answer: (exchange: Exchange) => Promise<Response>
}

/** Creates pages that share a context, each with its path. */
export const pagesWith = <Context>(
  context: Context,
  pages: readonly (readonly [
    path: string,
    answer: (context: Context, exchange: Exchange) => Promise<Response>,
  ])[],
): readonly WebPage[] =>
  pages.map(([path, answer]) => ({ path, answer: (exchange) => answer(context, exchange) }))

/**
 * Returns the client's network, for which attempts are counted. Full IP addresses are not stored.
 */
export const networkOf = ({ clientAddress }: Exchange): string => addressPrefix(clientAddress) ?? ''

export function htmlPage(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location: path, ...headers } })
}
