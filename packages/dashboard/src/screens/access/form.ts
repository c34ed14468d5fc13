/** The access modes with the fields of each, and the request that they produce. */
import type { AccessReply } from '@octavo/contract'
import { secretField, textArea, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { type Mode, modeList } from '../../parts/modes.ts'
import { errorOf } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { siteAddress } from './site-address.ts'

/** The fields that show their errors, by the access mode that they belong to. */
const MODE_FIELDS = {
  public: [],
  password: ['password'],
  members: [],
  oidc: ['oidc.issuer', 'oidc.clientId', 'oidc.clientSecret', 'oidc.scopes', 'oidc.groupsClaim'],
  jwt: ['jwt.loginUrl', 'jwt.keys'],
} as const satisfies Readonly<Record<AccessReply['mode'], readonly string[]>>

export const accessFields = (mode: string): readonly string[] =>
  mode in MODE_FIELDS ? MODE_FIELDS[mode as AccessReply['mode']] : []

type Fields = {
  readonly screen: ProjectScreen
  readonly access: AccessReply
  /** Returns the typed value of a rejected form, or the stored one. */
  readonly valueFor: (name: string, stored?: string | null) => string
  readonly errorFor: (name: string) => string | undefined
}

export function accessModes(
  screen: ProjectScreen,
  access: AccessReply,
  { form, problem }: Partial<Attempt>,
): Html {
  const fields: Fields = {
    screen,
    access,
    valueFor: (name, stored) => (form === undefined ? (stored ?? '') : formValue(form, name)),
    errorFor: (name) => errorOf(problem, name),
  }
  return modeList({
    name: 'mode',
    legend: 'Who can read the site',
    value: fields.valueFor('mode', access.mode),
    modes: [everyone, password(fields), members(fields), oidc(fields), jwt(fields)],
  })
}

const everyone: Mode = {
  value: 'public',
  label: 'Everyone',
  hint: 'Public, without sign-in',
  text: 'Search engines and agents can also read every page. Pages with groups are visible only to members of these groups, so readers of a public site do not see those pages.',
}

function password({ screen: { now }, access, errorFor }: Fields): Mode {
  const { hasPassword, passwordSetAt, sessions, mode } = access
  const ends = mode === 'password' && sessions > 0 && 'A new password signs all readers out. '
  return {
    value: 'password',
    label: 'Password',
    hint: 'One password for all readers',
    text: 'Good for a preview or a small group. Readers are anonymous: you see views but no names.',
    fields: secretField({
      name: 'password',
      label: 'Password',
      className: 'width-l',
      stored: hasPassword ? { word: 'Set', at: passwordSetAt, now } : undefined,
      isNeeded: true,
      error: errorFor('password'),
      hint: html`${ends}At least 8 characters. The password is stored as a hash and cannot be shown.`,
    }),
  }
}

const members = ({ screen: { path, may } }: Fields): Mode => ({
  value: 'members',
  label: 'Members',
  hint: 'People with a role in this project',
  text: html`
    Everyone with a role in this project can read the site. Invite people who only read as Viewer${
      may('members:write') &&
      html`
        under
        <a class="link" href="${path('members')}">Members</a>
      `
    }.
  `,
})

function oidc({ screen, access, valueFor, errorFor }: Fields): Mode {
  const stored = access.oidc
  const field = (name: string, label: string, more: object, value?: string | null) =>
    textField({
      name: `oidc.${name}`,
      label,
      error: errorFor(`oidc.${name}`),
      value: valueFor(`oidc.${name}`, value),
      ...more,
    })
  return {
    value: 'oidc',
    label: 'OpenID Connect',
    hint: 'Okta, Entra ID, Google, Keycloak …',
    text: 'Readers sign in with your identity provider. All of its users can read the site, but only users in a group can read pages with that group.',
    fields: html`
      <div class="form-grid">
        ${field('issuer', 'Issuer URL', { type: 'url', isNeeded: true, placeholder: 'https://login.example.com' }, stored?.issuer)}
        ${field('clientId', 'Client ID', { isNeeded: true }, stored?.clientId)}
        ${secretField({
          name: 'oidc.clientSecret',
          label: 'Client secret',
          stored: stored?.hasClientSecret
            ? { word: 'Saved', at: stored.clientSecretSetAt, now: screen.now }
            : undefined,
          error: errorFor('oidc.clientSecret'),
          hint: 'Without a client secret, the site is a public client with PKCE.',
        })}
        ${field('scopes', 'Additional scopes', { isOptional: true, hint: 'Requested in addition to openid.' }, stored?.scopes.join(' '))}
        ${field('groupsClaim', 'Groups claim', { isOptional: true, placeholder: 'groups' }, stored?.groupsClaim)}
      </div>
      ${siteAddress(screen, 'redirect-uri', ['Redirect URI', 'for the provider', '/login/callback'])}
    `,
  }
}

function jwt({ screen, access, valueFor, errorFor }: Fields): Mode {
  const keys = access.jwt?.keys.map((key) => JSON.stringify(key)).join('\n')
  return {
    value: 'jwt',
    label: 'Your own sign-in (JWT)',
    hint: 'Your server signs readers in',
    text: 'Your server signs readers in and sends them back with a signed token.',
    fields: html`
      ${textField({
        name: 'jwt.loginUrl',
        label: 'Sign-in URL',
        type: 'url',
        isNeeded: true,
        value: valueFor('jwt.loginUrl', access.jwt?.loginUrl),
        className: 'width-l',
        placeholder: 'https://app.example.com/docs-login',
        error: errorFor('jwt.loginUrl'),
      })}
      ${textArea({
        name: 'jwt.keys',
        label: 'Public keys',
        rows: 4,
        isNeeded: true,
        value: valueFor('jwt.keys', keys),
        error: errorFor('jwt.keys'),
        hint: 'EdDSA or ES256: PEM, or one JWK on each line.',
      })}
      ${siteAddress(screen, 'jwt-callback', ['Callback URL', 'for your server', '/login/jwt-callback'])}
    `,
  }
}

/**
 * Builds the request from the fields of the chosen mode only. An empty field of a secret keeps the
 * stored secret.
 */
export function readAccessForm(form: Form): object {
  const mode = formValue(form, 'mode')
  return {
    mode,
    previews: formValue(form, 'previews'),
    sessionHours: Number(formValue(form, 'sessionHours')),
    ...readModeFields(form, mode),
  }
}

function readModeFields(form: Form, mode: string): object {
  const value = (name: string) => formValue(form, name)
  const some = (name: string, key: string) => (value(name) === '' ? {} : { [key]: value(name) })
  switch (mode) {
    case 'password': {
      // The password is not trimmed: spaces are part of it.
      const typed = form.get('password') ?? ''
      return typed === '' ? {} : { password: typed }
    }
    case 'oidc':
      return {
        oidc: {
          ...some('oidc.issuer', 'issuer'),
          ...some('oidc.clientId', 'clientId'),
          ...some('oidc.clientSecret', 'clientSecret'),
          ...some('oidc.groupsClaim', 'groupsClaim'),
          scopes: value('oidc.scopes')
            .split(/[\s,]+/)
            .filter((one) => one !== ''),
        },
      }
    case 'jwt': {
      const keys = readKeys(value('jwt.keys'))
      return { jwt: { ...some('jwt.loginUrl', 'loginUrl'), ...(keys.length > 0 && { keys }) } }
    }
    default:
      return {}
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
