import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import {
  type ApiOptions,
  problemToResponse,
  type ScreenForm,
} from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'

const PATH = `/projects/${PROJECT_ID}/access`
const API = `/v1/projects/${PROJECT_ID}/access`

const visit = (path = '', form?: ScreenForm, options?: ApiOptions) =>
  visitScreen(PATH + path, form, options)

const SITE = { mode: 'public', previews: 'default', sessionHours: '168' }

describe('site access screens', () => {
  test('the access screen shows how readers sign in, but no secrets', async () => {
    const { text } = await visit()
    expect(text).toMatch(/value="oidc" checked/)
    expect(text).toContain('https://login.greenhouse.example/')
    expect(text).toContain('Link checker')
    expect(text).toContain('Sign all readers out')
    expect(text).toMatch(/name="password" type="password" value=""/)
    expect(text).toMatch(/name="oidc\.clientSecret" type="password" value=""/)
    const open = await visit('', undefined, { isEmpty: true })
    expect(open.text).toMatch(/value="public" checked/)
    expect(open.text).not.toContain('Sign all readers out')
    expect(open.text).toContain('No active tokens')
  })

  test('saving access settings sends the typed values and omits empty ones', async () => {
    const { changes, location } = await visit('', SITE)
    expect(changes[0]?.body).toEqual({ mode: 'public', previews: 'default', sessionHours: 168 })
    expect(location).toBe(`${PATH}?saved`)
    const pem = '-----BEGIN PUBLIC KEY-----\r\nMCow\r\n-----END PUBLIC KEY-----'
    const more = await visit('', {
      ...SITE,
      mode: 'jwt',
      password: ' with spaces ',
      'oidc.issuer': 'https://a.example',
      'oidc.scopes': 'profile, groups',
      'jwt.loginUrl': 'https://b.example',
      'jwt.keys': `${pem}\r\n{"kty":"OKP"}\r\n{broken\r\n`,
    })
    expect(more.changes[0]?.body).toMatchObject({
      mode: 'jwt',
      password: ' with spaces ',
      oidc: { issuer: 'https://a.example', scopes: ['profile', 'groups'] },
      jwt: { loginUrl: 'https://b.example', keys: [pem, { kty: 'OKP' }, '{broken'] },
    })
  })

  test('an error is shown next to its field, and secrets are not shown again', async () => {
    const refusal = { detail: 'Expected 8 characters or more.', param: 'password' }
    const { status, text } = await visit(
      '',
      { ...SITE, mode: 'password', password: 'short', 'oidc.issuer': '<b>' },
      { replies: { [`PUT ${API}`]: () => problemToResponse(400, refusal) } },
    )
    expect(status).toBe(400)
    expect(text).toContain('Expected 8 characters or more.')
    expect(text).toContain('value="&lt;b&gt;"')
    expect(text).not.toContain('short')
  })

  test('signing out all readers needs a confirmation', async () => {
    expect((await visit('/end-sessions')).text).toContain('Sign all readers out?')
    const { changes, location } = await visit('/end-sessions', {})
    expect(changes).toMatchObject([{ method: 'POST', path: `${API}/end-sessions` }])
    expect(location).toBe(PATH)
  })
})

describe('reader tokens', () => {
  test('a reader token is shown once and can be deleted', async () => {
    const made = await visit('/tokens', { name: 'CI', groups: 'staff, x', minutes: '15' })
    expect(made.changes[0]?.body).toEqual({ name: 'CI', groups: ['staff', 'x'], minutes: 15 })
    expect(made.text).toContain('octavo_rdr_')
    expect((await visit()).text).not.toContain('octavo_rdr_')
    const gone = await visit('/tokens/rtk_1/delete', {})
    expect(gone.changes).toMatchObject([{ method: 'DELETE', path: `${API}/tokens/rtk_1` }])
  })

  test('an error of the API is shown when creating a reader token', async () => {
    const refusal = { detail: 'A project can have 100 reader tokens at a time.' }
    const { status, text } = await visit(
      '/tokens',
      { name: 'CI', minutes: '15' },
      { replies: { [`POST ${API}/tokens`]: () => problemToResponse(409, refusal) } },
    )
    expect(status).toBe(409)
    expect(text).toContain('100 reader tokens')
  })
})
