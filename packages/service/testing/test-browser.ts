/**
 * A browser without a display. It stores cookies, sends forms from the service's pages, and does
 * not follow redirects.
 */
import type { TestService } from './test-service.ts'

export const ORIGIN = 'http://localhost:8080'

export type Visit = {
  readonly status: number
  readonly text: string
  readonly location: string
  readonly headers: Headers
}

export type TestBrowser = {
  readonly cookies: Map<string, string>
  readonly visit: (
    path: string,
    sent?: {
      readonly form?: Readonly<Record<string, string>>
      readonly method?: string
      readonly headers?: Readonly<Record<string, string>>
    },
  ) => Promise<Visit>
  readonly isSignedIn: () => Promise<boolean>
}

export function openTestBrowser(service: Pick<TestService, 'url'>): TestBrowser {
  const cookies = new Map<string, string>()
  const visit: TestBrowser['visit'] = async (path, { form, method, headers } = {}) => {
    const response = await fetch(service.url + path, {
      redirect: 'manual',
      method: method ?? (form === undefined ? 'GET' : 'POST'),
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form !== undefined && {
          origin: ORIGIN,
          'content-type': 'application/x-www-form-urlencoded',
        }),
        ...headers,
      },
      ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (cookie.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get('location') ?? '',
      headers: response.headers,
    }
  }
  // A new account that signed in with a link is first redirected to a page that adds a sign-in
  // method.
  const isSignedIn = async () => {
    const { status, location } = await visit('/')
    return status === 200 || location === '/keep-access'
  }
  return { cookies, visit, isSignedIn }
}
