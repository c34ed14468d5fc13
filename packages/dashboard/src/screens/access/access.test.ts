import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import {
  type ApiOptions,
  problemToResponse,
  type ScreenForm,
} from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'
import { sampleReaderAccess } from '../../../testing/sample-reader-access.ts'

const PATH = `/projects/${PROJECT_ID}/access`
const API = `/v1/projects/${PROJECT_ID}/access`

const visit = (path = '', form?: ScreenForm, options?: ApiOptions) =>
  visitScreen(PATH + path, form, options)

const PEM = '-----BEGIN PUBLIC KEY-----\r\nMCow\r\n-----END PUBLIC KEY-----'
const SITE = { mode: 'public', previews: 'default', sessionHours: '168' }

const modeOf = (mode: string) => ({
  [`GET ${API}`]: () =>
    Response.json({ ...sampleReaderAccess({ hostile: '', isEmpty: false }).access, mode }),
})

describe('site access screens', () => {
  test('the current site access is a sentence with its time and the number of signed-in browsers', async () => {
    const { text } = await visit()
    const now = /aria-label="Current state"[\s\S]*?<\/section>/.exec(text)?.[0]
    expect(now).toContain('Private: readers sign in with OpenID Connect')
    expect(now).toContain('At login.greenhouse.example.')
    expect(now).toContain('2 days ago')
    expect(now).toContain('214 browsers are signed in.')
    expect(text).toMatch(/value="oidc" checked/)
    const open = await visit('', undefined, { isEmpty: true })
    expect(open.text).toContain('Public: everyone can read')
    expect(open.text).not.toContain('End all sessions')
    expect(open.text).toContain('Not needed while the site is public')
  })

  test('if the access form is rejected, the current state is still the stored one', async () => {
    const { text } = await visit(
      '',
      { ...SITE, mode: 'password' },
      { replies: { [`PUT ${API}`]: () => problemToResponse(422, { param: 'password' }) } },
    )
    expect(text).toContain('Private: readers sign in with OpenID Connect')
    expect(text).toMatch(/value="password" checked/)
  })

  test('a stored secret is shown as set, and a missing secret as a required field', async () => {
    const { text } = await visit('', undefined, { replies: modeOf('password') })
    expect(text).toMatch(/<details class="saved">\s*<summary>\s*<span>Set<\/span>/)
    expect(text).toContain('43 days ago')
    expect(text).toMatch(/<details class="saved">\s*<summary>\s*<span>Saved<\/span>/)
    const open = await visit('', undefined, { isEmpty: true })
    expect(open.text).not.toContain('class="saved"')
    expect(open.text).toMatch(/name="password" type="password"[^>]*aria-required="true"/)
    // A field with `required` in a hidden panel would keep the browser from submitting the form.
    const panels = /<fieldset class="modes">[\s\S]*?<\/fieldset>/.exec(open.text)?.[0]
    expect(panels).not.toMatch(/\srequired/)
  })

  test('saving site access sends only the fields of the chosen mode', async () => {
    const everything = {
      ...SITE,
      password: ' with spaces ',
      'oidc.issuer': 'https://a.example',
      'oidc.scopes': 'profile, groups',
      'oidc.clientSecret': '',
      'jwt.loginUrl': 'https://b.example',
      'jwt.keys': `${PEM}\r\n{"kty":"OKP"}\r\n{broken\r\n`,
    }
    const send = async (mode: string) => {
      const { changes, location } = await visit('', { ...everything, mode })
      expect(location).toBe(`${PATH}?saved`)
      return changes[0]?.body
    }
    const common = { previews: 'default', sessionHours: 168 }
    expect(await send('public')).toEqual({ mode: 'public', ...common })
    expect(await send('members')).toEqual({ mode: 'members', ...common })
    expect(await send('password')).toEqual({
      mode: 'password',
      ...common,
      password: ' with spaces ',
    })
    expect(await send('oidc')).toEqual({
      mode: 'oidc',
      ...common,
      oidc: { issuer: 'https://a.example', scopes: ['profile', 'groups'] },
    })
    expect(await send('jwt')).toEqual({
      mode: 'jwt',
      ...common,
      jwt: { loginUrl: 'https://b.example', keys: [PEM, { kty: 'OKP' }, '{broken'] },
    })
  })

  test('an error about site access is shown next to its field, and typed secrets are not shown again', async () => {
    const refusal = { detail: 'Expected 8 characters or more.', param: 'password' }
    const { status, text } = await visit(
      '',
      { ...SITE, mode: 'password', password: 'short', 'oidc.issuer': '<b>' },
      { replies: { [`PUT ${API}`]: () => problemToResponse(400, refusal) } },
    )
    expect(status).toBe(400)
    expect(text).toMatch(/<details class="saved" open>[\s\S]*Expected 8 characters or more\./)
    expect(text).not.toContain('Nothing was changed.')
    expect(text).toContain('value="&lt;b&gt;"')
    expect(text).not.toContain('short')
  })

  test('an error about a field of another access mode is shown above the form', async () => {
    const refusal = { detail: 'Expected a scope.', param: 'oidc.scopes.0' }
    const { text } = await visit('', SITE, {
      replies: { [`PUT ${API}`]: () => problemToResponse(400, refusal) },
    })
    expect(text).toContain('Nothing was changed.')
  })

  test('ending all sessions needs a confirmation, and revokes tokens only if chosen', async () => {
    expect((await visit('/end-sessions')).text).toContain('End all sessions?')
    const { changes, location } = await visit('/end-sessions', {})
    expect(changes).toMatchObject([{ method: 'POST', path: `${API}/end-sessions` }])
    expect(location).toBe(PATH)
    const both = await visit('/end-sessions', { tokens: 'delete' })
    expect(both.changes).toMatchObject([
      { method: 'POST', path: `${API}/end-sessions` },
      { method: 'DELETE', path: `${API}/tokens` },
    ])
  })
})

describe('reader tokens', () => {
  test('the list of reader tokens shows creator, last use, and which tokens expire soon or have expired', async () => {
    const { text } = await visit()
    const rows = (text.split('id="tokens"')[1] ?? '').split('<tr').slice(2)
    const [checker = '', , crawler = '', snapshot = '', review = ''] = rows
    expect(checker).toContain('Mei Tanaka')
    expect(checker).toContain('4 min ago')
    expect(checker).toContain('in 11 months')
    expect(checker).not.toContain('class="state')
    expect(crawler).toContain('Expires soon')
    expect(crawler).toContain('Group: partners')
    expect(snapshot).toContain('Never')
    expect(review).toContain('Expired')
    expect(review).toContain('is-over')
    const none = await visit('', undefined, { isEmpty: true })
    expect(none.text).toContain('No tokens yet')
  })

  test('a reader token is shown once and can be revoked', async () => {
    const made = await visit('/tokens', { name: 'CI', groups: 'staff, x', minutes: '525600' })
    expect(made.changes[0]?.body).toEqual({ name: 'CI', groups: ['staff', 'x'], minutes: 525_600 })
    expect(made.text).toContain('octavo_rdr_')
    expect((await visit()).text).not.toContain('octavo_rdr_')
    const id = 'rtk_1000000000000000'
    expect((await visit(`/tokens/${id}/revoke`)).text).toContain('Revoke Nightly link checker?')
    const gone = await visit(`/tokens/${id}/revoke`, {})
    expect(gone.changes).toMatchObject([{ method: 'DELETE', path: `${API}/tokens/${id}` }])
    expect((await visit('/tokens/rtk_gone/revoke')).location).toBe(PATH)
  })

  test('an error from the API is shown when a reader token is created', async () => {
    const refusal = { detail: 'A project can have 100 reader tokens at a time.' }
    const { status, text } = await visit(
      '/tokens',
      { name: 'CI', minutes: '1440' },
      { replies: { [`POST ${API}/tokens`]: () => problemToResponse(409, refusal) } },
    )
    expect(status).toBe(409)
    expect(text).toContain('100 reader tokens')
  })
})
