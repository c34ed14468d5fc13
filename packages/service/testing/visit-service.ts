/**
 * Sends requests like a browser that does not follow redirects. Forms are sent from the service's
 * own origin.
 */
import { ORIGIN } from './test-browser.ts'
import type { TestService } from './test-service.ts'

export type SentRequest = {
  readonly cookie?: string | undefined
  readonly method?: string
  readonly form?: Readonly<Record<string, string>>
  /** The body to send instead of the form. */
  readonly body?: string
  /** Additional headers. A header with an empty value is not sent. */
  readonly headers?: Readonly<Record<string, string>>
}

export async function visitService(
  service: Pick<TestService, 'url'>,
  path: string,
  { cookie, method, form, body, headers = {} }: SentRequest = {},
) {
  const isSent = form !== undefined || body !== undefined
  const all: Record<string, string> = {
    ...(cookie !== undefined && { cookie }),
    ...(isSent && { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }),
    ...headers,
  }
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    method: method ?? (isSent ? 'POST' : 'GET'),
    headers: Object.entries(all).filter(([, value]) => value !== ''),
    ...(isSent && { body: body ?? new URLSearchParams(form).toString() }),
  })
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie(),
  }
}

export type Visited = Awaited<ReturnType<typeof visitService>>

/** Returns the value of a hidden field on a page. */
export function fieldOf({ text }: Pick<Visited, 'text'>, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}
