/** A page of the service for people in a browser, and what it is given. */
import type { GateOptions, ScreenRoute } from '@octavo/dashboard'
import { addressPrefix } from '../../platform/audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { FoundPerson } from '../sessions/sessions.ts'
import type { SignInSettings } from '../sign-in-settings.ts'
import type { CallApiAs } from './refusal.ts'
import type { ShowSignIn } from './ways.ts'

export type Exchange = {
  readonly request: Request
  readonly url: URL
  readonly clientAddress: string | undefined
  /** Who is signed in already. */
  readonly person: SignedIn | undefined
  /** The parameters of its path. */
  readonly params: Readonly<Record<string, string>>
  /** The stylesheet and so on, for everything that is rendered. */
  readonly gate: GateOptions
  /** Signs somebody in on this browser and goes on. */
  readonly signIn: (person: FoundPerson, next: string) => Promise<Response>
}

/** What pages are made of. */
export type SignInDeps = {
  readonly database: Database
  readonly settings: SignInSettings
  readonly pepper: PepperRing
  /** The address of the service. */
  readonly url: string
  readonly origin: string
  /** HTTPS, or this machine: otherwise browsers keep no session. */
  readonly isSecure: boolean
  readonly passkeyProblem: string | undefined
  readonly showSignIn: ShowSignIn
  readonly callApiAs: CallApiAs
  /** Nothing where no mail can be sent. */
  readonly mailer: Mailer | undefined
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export type WebPage = {
  /** Without it, the page answers all methods. */
  readonly method?: ScreenRoute['method']
  /** With parameters as `:token`. */
  readonly path: string
  readonly answer: (exchange: Exchange) => Promise<Response>
}

/** Pages that need the same things, each with its path. */
export const pagesWith = <Context>(
  context: Context,
  pages: readonly (readonly [
    path: string,
    answer: (context: Context, exchange: Exchange) => Promise<Response>,
  ])[],
): readonly WebPage[] =>
  pages.map(([path, answer]) => ({ path, answer: (exchange) => answer(context, exchange) }))

/** What tries are counted for: whole addresses are not kept. */
export const networkOf = ({ clientAddress }: Exchange): string => addressPrefix(clientAddress) ?? ''

export function htmlPage(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location: path, ...headers } })
}
