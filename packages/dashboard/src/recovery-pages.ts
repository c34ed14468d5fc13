/** Renders the page on which a person enters a recovery code. */

import { postForm, textField } from './parts/form.ts'
import { renderGate } from './parts/gate.ts'
import { html } from './parts/html.ts'
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
    lead: 'Enter one of the codes that you saved. Each code works once.',
    body: html`
      ${error !== undefined && notice({ tone: 'bad', text: error })}
      ${postForm({
        action,
        token: '',
        className: 'stack',
        body: html`${email}${code}<button class="button primary full">Sign in</button>`,
      })}
      <p class="hint">
        <a class="link" href="/sign-in">Sign in with another method</a>
      </p>
    `,
  })
}
