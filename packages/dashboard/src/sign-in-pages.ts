/** Pages that the service shows before sign-in. All functions here are pure. */

import { hiddenFields, postForm, textField } from './parts/form.ts'
import { renderGate } from './parts/gate.ts'
import { type Html, html } from './parts/html.ts'
import { icon } from './parts/icon.ts'
import { notice } from './parts/notice.ts'
import type { ThemeChoice } from './visit/screen.ts'
import type { PageAssets } from './visit/visit.ts'

/** Options of all pages before sign-in, which use the dashboard's stylesheet and script. */
export type GateOptions = { readonly assets: PageAssets; readonly theme?: ThemeChoice }

export type SignIn = GateOptions & {
  readonly organization?: string
  readonly providers: readonly {
    readonly id: string
    readonly name: string
    /** A path of the service that redirects to the provider. */
    readonly url: string
  }[]
  readonly passkey: boolean
  /** The reason why the service cannot use passkeys. */
  readonly passkeyProblem?: string | undefined
  readonly recovery: boolean
  readonly email: boolean
  readonly error?: string
  /** The path to open after sign-in. */
  readonly next: string
  readonly formToken?: string
}

/**
 * Renders the sign-in page. Providers are links: a form may not lead to another origin, not even by
 * redirect.
 */
export function renderSignIn(page: SignIn): string {
  const { providers, passkey, passkeyProblem, recovery, email, error, next } = page
  const { assets, theme, organization } = page
  const ways = providers.map(
    ({ name, url }, index) =>
      html`
        <a class="button full${index === 0 ? ' primary' : ''}" href="${url}">
          ${icon('log-in')}Continue with ${name}
        </a>
      `,
  )
  const isOnly = providers.length === 0 && !passkey
  const hasOther = providers.length > 0 || email
  const codeButton =
    recovery &&
    !hasOther &&
    html`<a class="button full${!passkey && ' primary'}" href="/sign-in/recovery">${icon('key')}Use a recovery code</a>`
  const codeHint =
    recovery &&
    hasOther &&
    html`<p class="hint">Saved recovery codes? <a class="link" href="/sign-in/recovery">Use a recovery code</a>.</p>`
  const none =
    !email &&
    !recovery &&
    isOnly &&
    notice({
      tone: 'warning',
      title: 'You cannot sign in here.',
      text: html`Ask the operator to run <code>octavo-service login-link</code> and send you the link.`,
    })
  return renderGate({
    assets,
    theme,
    title: organization === undefined ? 'Sign in' : `Sign in to ${organization}`,
    lead: 'You do not need a password.',
    body: html`
      ${error !== undefined && notice({ tone: 'bad', text: error })}
      <div class="ways">
        ${ways}
        ${
          passkey &&
          html`
            <button class="button full${providers.length === 0 && ' primary'}" type="button" hidden
              data-passkey data-next="${next}">
              ${icon('fingerprint')}Use a passkey
            </button>
          `
        }
        ${codeButton}
      </div>
      ${email && emailForm(page, isOnly)}
      ${none}
      ${codeHint}
      ${passkeyProblem !== undefined && html`<p class="hint">${passkeyProblem}</p>`}
      <p class="hint">
        No account? Ask an owner for an invitation. Locked out? Ask the operator to
        run <code>octavo-service login-link</code>.
      </p>
    `,
  })
}

function emailForm({ formToken, next }: SignIn, isOnly: boolean): Html {
  return html`
    ${!isOnly && html`<p class="or">or by e-mail</p>`}
    <form class="stack" method="post" action="/sign-in/email">
      ${hiddenFields({ token: formToken, next })}
      ${textField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        placeholder: 'you@example.org',
        isRequired: true,
      })}
      <button class="button full${isOnly ? ' primary' : ''}">${icon('mail')}Send me a code</button>
    </form>
  `
}

export type SignInCode = GateOptions & {
  readonly email: string
  readonly error?: string
  readonly next: string
  readonly formToken: string
}

export function renderSignInCode({ assets, theme, email, error, next, formToken }: SignInCode) {
  const id = 'field-code'
  const field = html`
    <div class="field">
      <label for="${id}">Code</label>
      <input class="code-input" id="${id}" name="code" inputmode="numeric" autocomplete="one-time-code"
        pattern="[0-9 ]*" maxlength="9" required autofocus
        ${error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>
      ${
        error !== undefined &&
        html`<p class="error" id="${id}-error">${icon('alert-circle')}<span>${error}</span></p>`
      }
    </div>
  `
  return renderGate({
    assets,
    theme,
    title: 'Enter the code',
    lead: html`We sent a six-digit code to <b>${email}</b>. It is valid for 10 minutes.`,
    body: html`
      ${postForm({
        action: '/sign-in/email/code',
        token: formToken,
        className: 'stack',
        fields: { email, next },
        body: html`${field}<button class="button primary full">Sign in</button>`,
      })}
      ${postForm({
        action: '/sign-in/email',
        token: formToken,
        className: 'hint-form',
        fields: { email, next },
        body: html`
          <p class="hint">
            No e-mail? <button class="link">Send another code</button>. The earlier code then stops working.
          </p>
        `,
      })}
    `,
  })
}

export type SetupField = 'name' | 'email' | 'organization' | 'project'

export type Setup = GateOptions & {
  readonly formToken: string
  readonly minutesLeft: number
  readonly values: Readonly<Partial<Record<SetupField, string>>>
  readonly errors: Readonly<Partial<Record<SetupField | 'form', string>>>
  readonly isSecure: boolean
  /** The URL that the form is sent to; by default, the URL of the page. */
  readonly action?: string
}

export function renderSetup({ formToken, minutesLeft, values, errors, isSecure, ...page }: Setup) {
  const { assets, theme, action = '' } = page
  const field = (name: SetupField, label: string, autocomplete: string) =>
    textField({
      name,
      label,
      type: name === 'email' ? 'email' : 'text',
      value: values[name] ?? '',
      error: errors[name],
      isRequired: true,
      autocomplete,
      maxLength: 200,
    })
  const minutes = minutesLeft === 1 ? '1 minute' : `${minutesLeft} minutes`
  return renderGate({
    assets,
    theme,
    isWide: true,
    title: 'Set up Octavo',
    lead: `This one-time link from the service log is valid for another ${minutes}.`,
    body: html`
      ${errors.form !== undefined && notice({ tone: 'bad', text: errors.form })}
      ${
        !isSecure &&
        notice({
          tone: 'warning',
          title: 'This page was not loaded over HTTPS.',
          text: 'Sign-in needs HTTPS or localhost. Put a proxy with a certificate in front of the service, and open the link at that address.',
        })
      }
      ${postForm({
        action,
        token: formToken,
        className: 'card',
        body: html`
          <div class="card-body form-grid">
            ${field('name', 'Your name', 'name')}
            ${field('email', 'E-mail address', 'email')}
            ${field('organization', 'Organization', 'organization')}
            ${field('project', 'First project', 'off')}
          </div>
          <div class="card-foot">
            <span>You become the owner of the organization. Other people need an invitation.</span>
            <button class="button primary end">Create account and sign in</button>
          </div>
        `,
      })}
      ${
        isSecure &&
        html`<p class="hint with-sign">${icon('shield')}This page was loaded over HTTPS or from this machine.</p>`
      }
    `,
  })
}

export type MessagePage = GateOptions & {
  readonly title: string
  readonly text: string
  readonly link?: { readonly href: string; readonly label: string }
}

export function renderMessage({ assets, theme, title, text, link }: MessagePage): string {
  return renderGate({
    assets,
    theme,
    title,
    body: html`
      <p>${text}</p>
      ${link !== undefined && html`<p><a class="button" href="${link.href}">${link.label}</a></p>`}
    `,
  })
}

export type ConfirmPage = GateOptions & {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly button: string
  /** Hidden fields, including the token. */
  readonly fields: Readonly<Record<string, string>>
  /** True if the form asks an invited person for their name. */
  readonly asksName?: boolean
}

/**
 * Renders the page that a link in an e-mail opens. It has a button, since mail scanners open links
 * but do not press buttons.
 */
export function renderConfirm({ title, text, action, button, fields, ...page }: ConfirmPage) {
  const { assets, theme, asksName = false } = page
  return renderGate({
    assets,
    theme,
    title,
    body: html`
      <p>${text}</p>
      <form method="post" action="${action}" class="stack">
        ${hiddenFields(fields)}
        ${
          asksName &&
          textField({
            name: 'name',
            label: 'Your name',
            autocomplete: 'name',
            hint: 'The name that other members see. If you already have an account, its name does not change.',
            isOptional: true,
          })
        }
        <button class="button primary full">${button}</button>
      </form>
    `,
  })
}

export type DevicePage = GateOptions & {
  readonly action: string
  readonly formToken: string
  readonly error?: string
  /** The code as typed, or from the URL. */
  readonly code?: string
  /**
   * The device that requests access, once the code has been entered. If it is set, the page asks
   * for confirmation.
   */
  readonly device?: { readonly name: string; readonly network?: string }
}

/**
 * Renders the two pages for the code that `octavo login` prints: the person types the code on the
 * first and confirms access on the second.
 */
export function renderDevice({ action, formToken, error, code = '', device, ...page }: DevicePage) {
  const { assets, theme } = page
  if (device === undefined)
    return renderGate({
      assets,
      theme,
      title: 'Connect the command line',
      lead: html`Enter the code that <code>octavo login</code> shows in your terminal.`,
      body: postForm({
        action,
        token: formToken,
        className: 'stack',
        body: html`
          <div class="field">
            <label for="field-code">Code</label>
            <input class="code-input" id="field-code" name="code" value="${code}" autocomplete="off"
              autocapitalize="characters" spellcheck="false" maxlength="20" required
              ${error !== undefined && html` aria-invalid="true" aria-describedby="field-code-error"`}>
            ${
              error !== undefined &&
              html`<p class="error" id="field-code-error">${icon('alert-circle')}<span>${error}</span></p>`
            }
          </div>
          <button class="button primary full">Continue</button>
        `,
      }),
    })
  const from = device.network === undefined ? '' : `, from ${device.network}`
  return renderGate({
    assets,
    theme,
    title: 'Allow this command-line sign-in?',
    lead: html`<b>${device.name}</b>${from} wants to act as you, with the code <code>${code}</code>.`,
    body: html`
      ${notice({
        tone: 'warning',
        text: html`Allow it only if you just ran <code>octavo login</code> and see the same code there.`,
      })}
      ${postForm({
        action,
        token: formToken,
        className: 'ways',
        fields: { code },
        body: html`
          <button class="button primary full" name="answer" value="allow">Allow</button>
          <button class="button full" name="answer" value="deny">Deny</button>
        `,
      })}
    `,
  })
}
