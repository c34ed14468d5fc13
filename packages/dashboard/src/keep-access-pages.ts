/**
 * Pages for a signed-in person who has no way to sign in again: they add a passkey, recovery codes
 * or a provider.
 */

import { checkbox, hiddenFields, postForm } from './parts/form.ts'
import { renderGate } from './parts/gate.ts'
import { type Html, type HtmlPart, html } from './parts/html.ts'
import { type IconName, icon } from './parts/icon.ts'
import { notice } from './parts/notice.ts'
import type { GateOptions } from './sign-in-pages.ts'

export type KeepAccess = GateOptions & {
  readonly formToken: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The path to open afterward. */
  readonly next: string
  /** The suggested name of a passkey in this browser; undefined if passkeys are not offered. */
  readonly passkeyName: string | undefined
  /** The reason why the service cannot use passkeys. */
  readonly passkeyProblem?: string | undefined
  readonly codes: boolean
  readonly providers: readonly { readonly name: string; readonly url: string }[]
  /** True if the person has to choose one of these before seeing anything else. */
  readonly isRequired: boolean
  readonly error?: string | undefined
}

export function renderKeepAccess(page: KeepAccess): string {
  const { assets, theme, email, next, passkeyName, passkeyProblem, codes, providers } = page
  const hasPasskeys = passkeyName !== undefined
  const ways = [
    hasPasskeys && passkeyOption(page, passkeyName),
    passkeyProblem !== undefined && way('fingerprint', 'Passkey', html`<p>${passkeyProblem}</p>`),
    ...providers.map(({ name, url }) =>
      way(
        'log-in',
        name,
        html`
          <p>Sign in there with the account of <b>${email}</b>. After that, you can sign in here with that account.</p>
          <a class="button" href="${url}">Continue with ${name}</a>
        `,
      ),
    ),
    codes && recoveryCodesOption(page, hasPasskeys || providers.length > 0),
  ]
  return renderGate({
    assets,
    theme,
    isWide: true,
    title: 'Choose how to sign in next time',
    lead: 'Your link works only once. This browser stays signed in for up to a week, but is signed out after 12 hours without use.',
    body: html`
      ${page.error !== undefined && notice({ tone: 'bad', text: page.error })}
      <ul class="card way-list">${ways}</ul>
      ${
        page.isRequired
          ? html`
            <p class="hint">
              Set up one of these to open your projects. You can change it later under Your account.
            </p>
          `
          : html`
            <p class="hint">
              You can also do this later, under Your account. <a class="link" href="${next}">Not now</a>
            </p>
          `
      }
    `,
  })
}

function way(sign: IconName, title: HtmlPart, body: Html): Html {
  return html`<li>${icon(sign)}<div><h2>${title}</h2>${body}</div></li>`
}

/** Renders a hidden form, which the script shows if the browser supports passkeys. */
function passkeyOption({ formToken, next }: KeepAccess, name: string): Html {
  const form = html`
    <form method="post" action="/account/passkeys" data-passkey-register hidden>
      ${hiddenFields({ token: formToken, next, name })}
      <button class="button primary">Add a passkey</button>
    </form>
  `
  return way(
    'fingerprint',
    html`Passkey <span class="state is-good">Recommended</span>`,
    html`
      <p>
        Sign in with your fingerprint, face or PIN. The passkey is stored on your device or in your password
        manager.
      </p>
      ${form}
      <p class="hint" data-passkey-missing>
        This browser does not support passkeys or has scripts turned off. Choose another method.
      </p>
    `,
  )
}

function recoveryCodesOption({ formToken, next }: KeepAccess, hasOther: boolean): Html {
  const form = postForm({
    action: '/keep-access/codes',
    token: formToken,
    fields: { next },
    body: html`<button class="button${!hasOther && ' primary'}">Show recovery codes</button>`,
  })
  return way(
    'key',
    'Recovery codes',
    html`<p>Ten codes to print or save in your password manager. Each code signs you in once.</p>${form}`,
  )
}

export type RecoveryCodesPage = GateOptions & {
  readonly formToken: string
  readonly codes: readonly string[]
  readonly email: string
  /** The origin of the service, which the downloaded file mentions. */
  readonly url: string
  /** The path to open once the codes are saved. */
  readonly next: string
}

/**
 * Renders new recovery codes. The form sends the first code back, so that the service knows which
 * codes were saved, in case newer ones have replaced them.
 */
export function renderRecoveryCodes(page: RecoveryCodesPage): string {
  const { assets, theme, formToken, codes, email, url, next } = page
  const file = `Recovery codes of ${email} for ${url}\nEach code signs you in once, at ${url}/sign-in/recovery\n\n${codes.join('\n')}\n`
  const href = `data:text/plain;charset=utf-8,${encodeURIComponent(file)}`
  return renderGate({
    assets,
    theme,
    isWide: true,
    title: 'Your recovery codes',
    lead: 'Save them now: they are shown only once. Each code signs you in once, with your e-mail address.',
    body: postForm({
      action: '/keep-access/saved',
      token: formToken,
      className: 'card',
      fields: { next },
      body: html`
        <div class="card-body stack">
          <pre class="code-list" id="codes">${codes.join('\n')}</pre>
          ${hiddenFields({ code: codes[0] })}
          <div class="row">
            <a class="button" download="octavo-recovery-codes.txt" href="${href}">
              ${icon('download')}Download
            </a>
            <button class="button" type="button" hidden data-copy="codes">
              ${icon('copy')}
              <span>Copy</span>
            </button>
          </div>
        </div>
        <div class="card-foot">
          ${checkbox({
            name: 'saved',
            value: 'yes',
            label: 'I saved these codes',
            isChecked: false,
            isRequired: true,
          })}
          <button class="button primary end">Continue</button>
        </div>
      `,
    }),
  })
}
