/** Pages about recovery codes: where one is typed, and where new ones are shown, this once. */
import { html } from '@octavo/theme'
import { postForm, textField } from './parts/form.ts'
import { renderGate } from './parts/gate.ts'
import { notice } from './parts/notice.ts'
import type { GateOptions } from './sign-in-pages.ts'

export type RecoveryPage = GateOptions & {
  readonly action: string
  readonly error: string | undefined
}

export function renderRecovery({ assets, theme, action, error }: RecoveryPage): string {
  const email = textField({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'username',
    isRequired: true,
  })
  const code = textField({
    name: 'code',
    label: 'Recovery code',
    autocomplete: 'off',
    placeholder: 'XXXX-XXXX-XXXX-XXXX',
    isRequired: true,
  })
  return renderGate({
    assets,
    theme,
    title: 'Use a recovery code',
    lead: 'Each of your codes works once.',
    body: html`${error !== undefined && notice({ tone: 'bad', text: error })}${postForm({ action, token: '', className: 'stack', body: html`${email}${code}<button class="button primary full">Sign in</button>` })}`,
  })
}

export type RecoveryCodesPage = GateOptions & {
  readonly codes: readonly string[]
  readonly back: string
}

export function renderRecoveryCodes({ assets, theme, codes, back }: RecoveryCodesPage): string {
  return renderGate({
    assets,
    theme,
    title: 'Your recovery codes',
    lead: 'Keep them where you keep your passport. They are shown this once, and each works once.',
    body: html`<pre>${codes.join('\n')}</pre><p><a class="button primary" href="${back}">I have saved them</a></p>`,
  })
}
