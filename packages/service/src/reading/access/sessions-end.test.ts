/**
 * Tests that readers lose their access within a second in every process when their session ends.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  newReaderSite,
  openReaderBrowser,
  READER_NAMES,
  type ReaderBrowser,
  type ReaderSite,
} from '../../../testing/reader-browser.ts'
import { siteOf } from '../../../testing/test-deployment.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { visitService } from '../../../testing/visit-service.ts'
import { createService, type Service } from '../../app/roles/service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { READER_COOKIE } from './find-reader.ts'

const PASSWORD = 'correct horse battery'
const POLL = { interval: 25, timeout: 15_000 }
const SECOND = 1_000
const folder = mkdtempSync(join(tmpdir(), 'octavo-ends-'))
let blobStore: BlobStore
let service: TestService
/** A second process of the service on the same database. */
let second: Service
let secondPort: number

async function startSecond(): Promise<Service> {
  const { settings } = service
  const other = createService({ settings, blobs: blobStore, writeLog: () => {}, now: Date.now })
  other.server.listen(0, '127.0.0.1')
  await once(other.server, 'listening')
  return other
}
const portOf = ({ server }: Service) => (server.address() as AddressInfo).port

beforeAll(async () => {
  blobStore = await openFolderStore(folder)
  service = await startTestService({ ...READER_NAMES, blobStore })
  second = await startSecond()
  secondPort = portOf(second)
})
afterAll(async () => {
  await second.stop()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newSite(): Promise<ReaderSite> {
  const site = await newReaderSite(service)
  await site.set({ mode: 'password', password: PASSWORD })
  return site
}

/** Signs a reader in. Returns a browser for each of the two processes. */
async function signIn(site: ReaderSite): Promise<readonly [ReaderBrowser, ReaderBrowser]> {
  const browser = site.browse()
  await expect
    .poll(
      async () => (await browser.visit('/login', { form: { password: PASSWORD } })).status,
      POLL,
    )
    .toBe(303)
  const elsewhere = site.browse(secondPort)
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
  expect(await browser.hasSiteAccess()).toBe(true)
  expect(await elsewhere.hasSiteAccess()).toBe(true)
  return [browser, elsewhere]
}

/** Checks that the reader loses access within a second. */
async function expectOut(browser: ReaderBrowser): Promise<void> {
  const started = performance.now()
  await expect.poll(() => browser.hasSiteAccess(), POLL).toBe(false)
  expect(performance.now() - started).toBeQuick(SECOND)
}

describe('sessions that end in every process within a second', () => {
  test('a reader loses access in every process after signing out', async () => {
    const [browser, elsewhere] = await signIn(await newSite())
    await browser.visit('/logout', { form: {} })
    await expectOut(elsewhere)
  })

  test('readers lose access when the owner ends all sessions or changes the password', async () => {
    for (const end of [
      (site: ReaderSite) => site.call('POST', '/access/end-sessions'),
      (site: ReaderSite) => site.set({ password: 'another password' }),
    ]) {
      const site = await newSite()
      const [browser, elsewhere] = await signIn(site)
      await end(site)
      await expectOut(elsewhere)
      await expectOut(browser)
    }
  })

  test('readers lose access when the owner changes the mode, even if it is changed back', async () => {
    const site = await newSite()
    const [browser, elsewhere] = await signIn(site)
    await site.set({ mode: 'members' })
    await expectOut(elsewhere)
    await site.set({ mode: 'password' })
    await expectOut(browser)
    await expectOut(elsewhere)
  })

  test('a program loses access when its reader token is deleted', async () => {
    const site = await newSite()
    const made = await site.call<{ id: string; token: string }>('POST', '/access/tokens', {
      body: { name: 'CI', groups: ['staff'] },
    })
    const read = async (path: string, port: number) => {
      const headers = { authorization: `Bearer ${made.body.token}` }
      return (await openReaderBrowser(port, site.host).visit(path, { headers })).text
    }
    expect(await read('/guide', secondPort)).toContain('private words')
    expect(await read('/staff', service.port)).toContain('words for staff')
    expect(await read('/owners', secondPort)).not.toContain('words for owners')
    const other = await newSite()
    const headers = { authorization: `Bearer ${made.body.token}` }
    expect((await other.browse().visit('/guide', { headers })).status).toBe(401)
    await site.call('DELETE', `/access/tokens/${made.body.id}`)
    const isOut = async () => !(await read('/guide', secondPort)).includes('private words')
    const started = performance.now()
    await expect.poll(isOut, POLL).toBe(true)
    expect(performance.now() - started).toBeQuick(SECOND)
  })

  test('the last use of a reader token is recorded at most once an hour, and the token is not logged', async () => {
    const site = await newSite()
    const made = await site.call<{ id: string; token: string }>('POST', '/access/tokens', {
      body: { name: 'Agent', minutes: 525_600 },
    })
    const headers = { authorization: `Bearer ${made.body.token}` }
    const read = async () => (await site.browse().visit('/guide', { headers })).text
    const lastUse = async () => {
      const { body } = await site.call<{ tokens: { lastUsedAt: string | null }[] }>(
        'GET',
        '/access/tokens',
      )
      return body.tokens[0]?.lastUsedAt
    }
    const setBack = (minutes: number) =>
      service.owner.query(
        'update reader_session set last_used_at = now() - make_interval(mins => $2) where id = $1',
        [made.body.id, minutes],
      )
    expect(await lastUse()).toBeNull()
    expect(await read()).toContain('private words')
    await expect.poll(lastUse, POLL).not.toBeNull()
    await setBack(59)
    const before = await lastUse()
    // Uses the token for more than a second, so that it is looked up several times.
    const end = performance.now() + 1.2 * SECOND
    await expect.poll(async () => (await read()) && performance.now() > end, POLL).toBe(true)
    expect(await lastUse()).toBe(before)
    await setBack(61)
    const isRecent = async () => {
      await read()
      return Date.parse((await lastUse()) ?? '') > Date.now() - 60 * SECOND
    }
    await expect.poll(isRecent, POLL).toBe(true)
    expect(JSON.stringify(service.log)).not.toContain(made.body.token)
  })

  test('a member loses access when they are removed from the organization or disabled', async () => {
    for (const statement of [
      'delete from membership where user_id = $1',
      'update app_user set disabled_at = now() where id = $1',
    ]) {
      const site = await newReaderSite(service)
      await site.set({ mode: 'members' })
      const person = await createPerson(service, site.project, 'viewer')
      const browser = site.browse()
      await expect.poll(async () => (await browser.visit('/login')).status, POLL).toBe(303)
      const { location } = await browser.visit('/login')
      const { pathname, search } = new URL(location)
      const page = await visitService(service, pathname + search, { cookie: person.cookie })
      const back = new URL((page.headers.get('refresh') ?? '').replace('0;url=', ''))
      await browser.visit(back.pathname + back.search)
      const elsewhere = site.browse(secondPort)
      elsewhere.cookies.set(READER_COOKIE, browser.cookies.get(READER_COOKIE) ?? '')
      expect(await elsewhere.hasSiteAccess()).toBe(true)
      await service.owner.query(statement, [person.id])
      await expectOut(elsewhere)
      await expectOut(browser)
    }
  })
})

describe('the access mode', () => {
  test('the access mode applies to every deployment, including previews and rollbacks', async () => {
    const site = await newSite()
    const files = { 'guide/index.html': 'private words, again' }
    const { id } = await site.client.deploy(siteOf(files))
    await site.client.deploy(siteOf(files), { target: 'preview', branch: 'open' })
    const { body } = await site.client.call('GET', '/deployments')
    const first = body.deployments.find((one: { id: string; target: string }) => one.id !== id)
    await site.client.call('POST', `/deployments/${first.id}/publish`, { expectedLive: id })
    const { body: access } = await site.call<{ mode: string }>('GET', '/access')
    expect(access.mode).toBe('password')
    expect(await site.browse().hasSiteAccess()).toBe(false)
  })
})

describe('access while the database is unavailable', () => {
  test('without the database, private pages get 503 within a second and public pages are served', async () => {
    const site = await newSite()
    const lone = await startSecond()
    const reader = site.browse(portOf(lone))
    const signIn = async () =>
      (await reader.visit('/login', { form: { password: PASSWORD } })).status
    await expect.poll(signIn, POLL).toBe(303)
    expect(await reader.hasSiteAccess()).toBe(true)
    expect((await reader.visit('/news')).text).toContain('public words')
    await lone.database.end()
    await expectOut(reader)
    const refused = await reader.visit('/guide')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect((await reader.visit('/news')).text).toContain('public words')
    const anonymous = site.browse(portOf(lone))
    expect((await anonymous.visit('/news')).text).toContain('public words')
    expect(await anonymous.hasSiteAccess()).toBe(false)
    const late = await anonymous.visit('/login', { form: { password: PASSWORD } })
    expect(late.status).toBe(503)
    expect(anonymous.cookies.has(READER_COOKIE)).toBe(false)
    lone.server.closeAllConnections()
    lone.server.close()
    await lone.stop().catch(() => {})
  })
})
