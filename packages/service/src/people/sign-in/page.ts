/** A page that people see before they are signed in, and what it is given. */
import type { GateOptions } from '@octavo/dashboard'
import { addressPrefix } from '../../platform/audit/store.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import type { FoundPerson } from '../sessions/sessions.ts'

export type Exchange = {
  readonly request: Request
  readonly url: URL
  readonly clientAddress: string | undefined
  /** Who is signed in already. */
  readonly person: SignedIn | undefined
  /** What the pattern of the page has in brackets. */
  readonly part: string
  /** The stylesheet and so on, for everything that is rendered. */
  readonly gate: GateOptions
  /** Signs somebody in on this browser and goes on. */
  readonly signIn: (person: FoundPerson, next: string) => Promise<Response>
}

export type SignInPage = {
  readonly pattern: RegExp
  readonly answer: (exchange: Exchange) => Promise<Response>
}

/** What tries are counted for: whole addresses are not kept. */
export const networkOf = ({ clientAddress }: Exchange): string => addressPrefix(clientAddress) ?? ''

export function htmlPage(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { location: path, ...headers } })
}
