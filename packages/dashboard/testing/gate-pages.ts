/** The pages before sign-in, for tests. */
import { renderKeepAccess, renderRecoveryCodes } from '../src/keep-access-pages.ts'
import { renderRecovery } from '../src/recovery-pages.ts'
import {
  renderConfirm,
  renderDevice,
  renderMessage,
  renderSetup,
  renderSignIn,
  renderSignInCode,
} from '../src/sign-in-pages.ts'

export const ASSETS = { css: '/assets/dashboard.css', script: '/assets/dashboard.js' }

const SAMPLE_CODES = [
  ...['7KQ2-M4XV-9BTR-C3HD', 'PW8Z-5NFA-2GJY-LE6S', 'X3VB-K9MR-T7QC-4HWD', 'N6YF-8PZA-3EJL-S5GU'],
  ...['B2TC-7XKH-M9WQ-R4VD', 'F5ZS-G8LN-6PJY-A3EU', 'H9QM-2CTB-K7XR-W4VD', 'L3YP-N6FZ-8AJE-S5GU'],
  ...['R7CX-4HKT-B2MQ-9WVD', 'Z8AE-P5YN-J3LF-6SGU'],
]

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
      recovery: true,
      email: true,
      next: `/projects${h}`,
    }),
    'sign-in-passkey': renderSignIn({
      assets,
      providers: [],
      passkey: true,
      recovery: true,
      email: false,
      next: '/',
    }),
    'sign-in-recovery': renderSignIn({
      assets,
      providers: [],
      passkey: false,
      passkeyProblem: `Passkeys need a host name, such as octavo.localhost.${h}`,
      recovery: true,
      email: false,
      next: '/',
    }),
    recovery: renderRecovery({ assets, action: '/sign-in/recovery', error: undefined }),
    'keep-access': renderKeepAccess({
      assets,
      formToken,
      email: `amara@greenhouse.example${h}`,
      next: `/projects${h}`,
      passkeyName: `Chrome on Linux${h}`,
      codes: true,
      providers: [],
      isRequired: true,
    }),
    'keep-access-all': renderKeepAccess({
      assets,
      formToken,
      email: `amara@greenhouse.example${h}`,
      next: `/projects${h}`,
      passkeyName: undefined,
      passkeyProblem: `Passkeys need a host name, such as octavo.localhost.${h}`,
      codes: true,
      providers: [{ name: `Greenhouse ID${h}`, url: '/sign-in/oidc/greenhouse?next=%2F' }],
      isRequired: false,
      error: `These codes were replaced.${h}`,
    }),
    'recovery-codes': renderRecoveryCodes({
      assets,
      formToken,
      codes: SAMPLE_CODES,
      email: `amara@greenhouse.example${h}`,
      url: 'https://octavo.example.com',
      next: `/projects${h}`,
    }),
    'sign-in-nothing': renderSignIn({
      assets,
      providers: [],
      passkey: false,
      recovery: false,
      email: false,
      error: `The link is too old.${h}`,
      next: '/',
    }),
    'sign-in-email': renderSignIn({
      assets,
      providers: [],
      passkey: false,
      recovery: true,
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
    invitation: renderConfirm({
      assets,
      title: `Join Garden docs${h}`,
      text: `Amara Okafor invites mei@greenhouse.example, as editor.${h}`,
      action: '/invitations/x',
      button: 'Accept',
      fields: {},
      asksName: true,
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
