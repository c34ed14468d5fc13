/** The form fields for each sign-in method, and the request that they produce. */
import type { AccessReply } from '@octavo/contract'
import { textArea, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { errorOf } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue } from '../../visit/screen.ts'

/** Fields that show their own errors. */
export const ACCESS_FIELDS = [
  'sessionHours',
  'password',
  'oidc.issuer',
  'oidc.clientId',
  'oidc.clientSecret',
  'oidc.scopes',
  'oidc.groupsClaim',
  'jwt.loginUrl',
  'jwt.keys',
]

type FieldWords = {
  readonly label: string
  readonly stored?: string | undefined
  readonly hint?: string
  readonly placeholder?: string
  readonly type?: 'url' | 'password'
  readonly rows?: number
}

export function methodFields(access: AccessReply, attempt?: Attempt): Html {
  const { hasPassword, oidc, jwt } = access
  const { form, problem } = attempt ?? {}
  const mode = form === undefined ? access.mode : formValue(form, 'mode')
  const field = (name: string, words: FieldWords) => {
    const { stored = '', rows, type, ...rest } = words
    const isSecret = type === 'password'
    const typed = isSecret || form === undefined ? '' : formValue(form, name)
    const value = form === undefined || isSecret ? stored : typed
    const options = { name, value, isOptional: true, error: errorOf(problem, name), ...rest }
    return rows === undefined
      ? textField({
          ...options,
          ...(type && { type }),
          ...(isSecret && { autocomplete: 'new-password' }),
        })
      : textArea({ ...options, rows })
  }
  const kept = 'Stored, and never shown. Left empty, it stays.'
  return html`${part('Password', mode === 'password', [
    field('password', {
      label: 'Password',
      type: 'password',
      hint: hasPassword ? kept : 'One for all readers, of 8 characters or more.',
    }),
  ])}${part('OpenID provider', mode === 'oidc', [
    field('oidc.issuer', {
      label: 'Issuer',
      type: 'url',
      stored: oidc?.issuer ?? '',
      placeholder: 'https://login.example.com',
      hint: 'Register https://your-site/login/callback there as redirect URI.',
    }),
    field('oidc.clientId', { label: 'Client id', stored: oidc?.clientId ?? '' }),
    field('oidc.clientSecret', {
      label: 'Client secret',
      type: 'password',
      hint: oidc?.hasClientSecret ? kept : 'Without one, the site is a public client with PKCE.',
    }),
    field('oidc.scopes', { label: 'Additional scopes', stored: oidc?.scopes.join(' ') ?? '' }),
    field('oidc.groupsClaim', { label: 'Claim with groups', stored: oidc?.groupsClaim ?? '' }),
  ])}${part('Your login (JWT)', mode === 'jwt', [
    field('jwt.loginUrl', {
      label: 'Login URL',
      type: 'url',
      stored: jwt?.loginUrl ?? '',
      placeholder: 'https://app.example.com/docs-login',
    }),
    field('jwt.keys', {
      label: 'Public keys',
      rows: 5,
      stored: jwt?.keys.map((key) => JSON.stringify(key)).join('\n') ?? '',
      hint: 'EdDSA or ES256: PEM, or one JWK on each line.',
    }),
  ])}`
}

const part = (title: string, isOpen: boolean, fields: readonly Html[]): Html =>
  html`
    <details class="part"${isOpen && html` open`}>
      <summary>${title}</summary>
      <div class="stack">${fields}</div>
    </details>
  `

/** Builds the request. Empty secrets are unchanged; a sign-in method without values is omitted. */
export function readAccessForm(form: Form): object {
  const value = (name: string) => formValue(form, name).trim()
  const listOf = (name: string) =>
    value(name)
      .split(/[\s,]+/)
      .filter((one) => one !== '')
  const some = (name: string, key: string) => (value(name) === '' ? {} : { [key]: value(name) })
  // Not trimmed: readers type the spaces too.
  const password = form.get('password') ?? ''
  const oidc = {
    ...some('oidc.issuer', 'issuer'),
    ...some('oidc.clientId', 'clientId'),
    ...some('oidc.clientSecret', 'clientSecret'),
    ...some('oidc.groupsClaim', 'groupsClaim'),
  }
  const keys = readKeys(formValue(form, 'jwt.keys'))
  const jwt = { ...some('jwt.loginUrl', 'loginUrl'), ...(keys.length > 0 && { keys }) }
  return {
    mode: value('mode'),
    previews: value('previews'),
    sessionHours: Number(value('sessionHours')),
    ...(password !== '' && { password }),
    ...(Object.keys(oidc).length > 0 && { oidc: { ...oidc, scopes: listOf('oidc.scopes') } }),
    ...(Object.keys(jwt).length > 0 && { jwt }),
  }
}

const KEY = /-----BEGIN[^-]+-----[\s\S]*?-----END[^-]+-----|[^\r\n]+/g

/** Parses the keys. Malformed JSON is sent as text, so that the API reports the error. */
function readKeys(text: string): readonly unknown[] {
  return (text.match(KEY) ?? [])
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      try {
        return one.startsWith('{') ? JSON.parse(one) : one
      } catch {
        return one
      }
    })
}
