/** The pages before anybody is signed in, as tests open them. */
import {
  renderConfirm,
  renderDevice,
  renderMessage,
  renderSetup,
  renderSignIn,
  renderSignInCode,
} from '../sign-in-pages.ts'

export const ASSETS = { css: '/assets/dashboard.css', script: '/assets/dashboard.js' }

export function gatePages(hostile = ''): Readonly<Record<string, string>> {
  const assets = ASSETS
  const h = hostile
  const formToken = 'token-of-this-form'
  const providers = [
    { id: 'greenhouse', name: `Greenhouse ID${h}`, url: '/sign-in/oidc/greenhouse?next=%2F' },
    { id: 'github', name: 'GitHub', url: '/sign-in/oidc/github?next=%2F' },
  ]
  return {
    'sign-in': renderSignIn({
      assets,
      organization: `Greenhouse${h}`,
      providers,
      passkey: true,
      email: true,
      next: `/projects${h}`,
    }),
    'sign-in-nothing': renderSignIn({
      assets,
      providers: [],
      passkey: false,
      email: false,
      error: `The link is too old.${h}`,
      next: '/',
    }),
    'sign-in-email': renderSignIn({
      assets,
      providers: [],
      passkey: false,
      email: true,
      next: '/',
    }),
    'sign-in-code': renderSignInCode({
      assets,
      email: `mei@greenhouse.example${h}`,
      error: `This is not the code. 4 tries are left.${h}`,
      next: '/',
      formToken,
    }),
    setup: renderSetup({
      assets,
      formToken,
      minutesLeft: 42,
      values: { name: `Amara Okafor${h}`, email: 'amara@greenhouse' },
      errors: { email: `This is no e-mail address.${h}` },
      isSecure: true,
    }),
    'setup-insecure': renderSetup({
      assets,
      formToken,
      minutesLeft: 1,
      values: {},
      errors: { form: `Somebody was faster.${h}` },
      isSecure: false,
    }),
    message: renderMessage({
      assets,
      title: `This link was used${h}`,
      text: `Ask for another one.${h}`,
      link: { href: '/sign-in', label: `Sign in${h}` },
    }),
    confirm: renderConfirm({
      assets,
      title: `Sign in as Amara Okafor?${h}`,
      text: `The operator made this link for you.${h}`,
      action: '/login-link',
      button: 'Sign in',
      fields: { token: formToken, link: `abc${h}` },
    }),
    device: renderDevice({
      assets,
      action: '/device',
      formToken,
      error: `There is no such code.${h}`,
    }),
    'device-confirm': renderDevice({
      assets,
      action: '/device',
      formToken,
      code: `BCDF-GHJK${h}`,
      device: { name: `octavo 0.9.2 on build-7${h}`, network: '198.51.100.0/24' },
    }),
  }
}
