/** Tests the service's side of `octavo login`: the codes, the page, and who gets a token. */

import type { DeviceReply, DeviceTokenReply } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ORIGIN, openTestBrowser, type TestBrowser } from '../../../testing/test-browser.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { createSessions } from '../sessions/sessions.ts'
import { formTokenOf } from './forms.ts'

let service: TestService
let project: TestProject
let person: TestPerson
beforeAll(async () => {
  service = await startTestService({ url: ORIGIN })
  project = await service.createProject()
  person = await createPerson(service, project, 'editor')
})
afterAll(() => service.stop())

async function call<Reply>(path: string, body: object): Promise<Reply> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Reply
}

const begin = (name = 'octavo on laptop') => call<DeviceReply>('/v1/device', { name })
const poll = (deviceCode: string) => call<DeviceTokenReply>('/v1/device/token', { deviceCode })

function browserOf({ cookie }: TestPerson): TestBrowser {
  const browser = openTestBrowser(service)
  browser.cookies.set('__Host-octavo', cookie.replace(/^[^=]+=/, ''))
  return browser
}

async function tokenOf({ cookie }: TestPerson): Promise<string> {
  const sessions = createSessions(service.service.database, PEPPER)
  const found = await sessions.find(cookie.replace(/^[^=]+=/, ''))
  if (found === undefined) throw new Error('nobody is signed in')
  return formTokenOf(found, PEPPER)
}

async function send(fields: Record<string, string>, as = person) {
  return browserOf(as).visit('/device', { form: { token: await tokenOf(as), ...fields } })
}

describe('command line sign-in', () => {
  test('`octavo login` gets a token, only once, after a person allows the sign-in', async () => {
    const { deviceCode, userCode, verificationUrl } = await begin()
    expect(verificationUrl).toBe(`${ORIGIN}/device`)
    expect(userCode).toMatch(/^[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}$/)
    expect(await poll(deviceCode)).toEqual({ state: 'pending' })
    expect(await poll(deviceCode)).toEqual({ state: 'slow-down' })
    const confirmation = await send({ code: userCode.toLowerCase().replace('-', ' ') })
    expect(confirmation.text).toContain('octavo on laptop')
    expect(confirmation.text).toContain('127.0.0.0/24')
    expect((await poll(deviceCode)).state).not.toBe('allowed')
    expect((await send({ code: userCode, answer: 'allow' })).text).toContain('is signed in')
    const { state, token } = await poll(deviceCode)
    expect(state).toBe('allowed')
    const me = await fetch(`${service.url}/v1/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await me.json()).toMatchObject({ email: person.email })
    expect(await poll(deviceCode)).toEqual({ state: 'expired' })
    expect((await send({ code: userCode, answer: 'allow' })).status).toBe(422)
  })

  test('concurrent polls of `octavo login` get only one token', async () => {
    const { deviceCode, userCode } = await begin()
    await send({ code: userCode, answer: 'allow' })
    const replies = await Promise.all([1, 2, 3].map(() => poll(deviceCode)))
    expect(replies.filter(({ state }) => state === 'allowed')).toHaveLength(1)
  })

  test('a denied command-line sign-in gets no token', async () => {
    const { deviceCode, userCode } = await begin()
    expect((await send({ code: userCode, answer: 'deny' })).text).toContain('was denied')
    expect((await send({ code: userCode, answer: 'allow' })).status).toBe(422)
    expect(await poll(deviceCode)).toEqual({ state: 'denied' })
  })

  test('a device code expires after ten minutes', async () => {
    const { deviceCode, userCode } = await begin()
    await service.owner.query('update device_request set expires_at = now()')
    expect((await send({ code: userCode, answer: 'allow' })).status).toBe(422)
    expect(await poll(deviceCode)).toEqual({ state: 'expired' })
  })

  test('the name that a command line sends is escaped on the device page', async () => {
    const { userCode } = await begin('<b>bank</b>\u202e\u0000x')
    const { text } = await send({ code: userCode })
    expect(text).toContain('&lt;b&gt;bank')
    expect(text).not.toContain('<b>bank</b>')
  })
})

describe('the device page', () => {
  test('the device page redirects signed-out visitors to sign-in', async () => {
    const { location } = await openTestBrowser(service).visit('/device')
    expect(location).toBe('/sign-in?next=/device')
  })

  test("the device page ignores a code in its URL, which an attacker's link could contain", async () => {
    const { userCode } = await begin()
    const { text } = await browserOf(person).visit(`/device?code=${userCode}`)
    expect(text).not.toContain(userCode)
  })

  test('the device page rejects forged forms', async () => {
    const { deviceCode, userCode } = await begin()
    const form = { code: userCode, answer: 'allow' }
    for (const token of ['', 'x']) expect((await send({ ...form, token })).status).toBe(403)
    const other = await createPerson(service, project, 'viewer')
    expect((await send({ ...form, token: await tokenOf(other) })).status).toBe(403)
    const headers = { origin: 'https://evil.example' }
    const token = await tokenOf(person)
    const reply = await browserOf(person).visit('/device', { form: { ...form, token }, headers })
    expect(reply.status).toBe(403)
    expect((await poll(deviceCode)).state).toBe('pending')
  })

  test('a person can enter at most thirty wrong device codes per hour', async () => {
    const guesser = await createPerson(service, project, 'viewer')
    const replies: number[] = []
    for (let count = 0; count < 31; count += 1)
      replies.push((await send({ code: 'BBBB-BBBB' }, guesser)).status)
    expect(new Set(replies.slice(0, 30))).toEqual(new Set([422]))
    expect(replies[30]).toBe(429)
  })
})

test('device codes are not stored in plain text', async () => {
  const { deviceCode, userCode } = await begin()
  const rows = JSON.stringify(await service.owner.query('select * from device_request'))
  for (const code of [deviceCode, userCode]) expect(rows).not.toContain(code)
})
