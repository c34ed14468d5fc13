import { renderSignIn } from '@octavo/dashboard'
import type { SignInSettings } from '../sign-in-settings.ts'
import { type Exchange, htmlPage } from './page.ts'

type SignInForm = {
  readonly gate: Exchange['gate']
  readonly next: string
  readonly error?: string
  readonly status?: number
}

/** Shows the sign-in page with all available methods, and an error if one failed. */
export type ShowSignIn = (form: SignInForm) => Response

export function createShowSignIn(
  settings: SignInSettings,
  {
    isSecure,
    passkeyProblem,
  }: { readonly isSecure: boolean; readonly passkeyProblem: string | undefined },
): ShowSignIn {
  return ({ gate, next, error, status = 200 }) => {
    const query = next === '/' ? '' : `?next=${encodeURIComponent(next)}`
    const insecure = isSecure
      ? undefined
      : 'Sessions need HTTPS, or localhost. Open the service at its https: address.'
    const shown = error ?? insecure
    const hasSessions = !settings.isOidcOnly && isSecure
    return htmlPage(
      renderSignIn({
        ...gate,
        providers: settings.providers.map(({ id, name }) => ({
          id,
          name,
          url: `/sign-in/oidc/${id}${query}`,
        })),
        passkey: hasSessions && passkeyProblem === undefined,
        passkeyProblem: hasSessions ? passkeyProblem : undefined,
        recovery: hasSessions,
        email: !settings.isOidcOnly && settings.mail !== undefined,
        next,
        ...(shown !== undefined && { error: shown }),
      }),
      status,
    )
  }
}
