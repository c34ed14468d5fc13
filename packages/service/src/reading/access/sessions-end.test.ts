/** Tests when signed-in readers lose access: in every process, within a second. */
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
const PATIENCE = { interval: 25, timeout: 15_000 }
const SECOND = 1_000
const folder = mkdtempSync(join(tmpdir(), 'octavo-ends-'))
let blobStore: BlobStore
let service: TestService
/** Another process on the same database. */
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

/** Returns a signed-in reader with access in both processes. */
async function signIn(site: ReaderSite): Promise<readonly [ReaderBrowser, ReaderBrowser]> {
  const browser = site.browse()
  await expect
    .poll(
      async () => (await browser.visit('/login', { form: { password: PASSWORD } })).status,
      PATIENCE,
    )
    .toBe(303)
  const elsewhere = site.browse(secondPort)
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
  expect(await browser.hasSiteAccess()).toBe(true)
  expect(await elsewhere.hasSiteAccess()).toBe(true)
  return [browser, elsewhere]
}

/** Expects that the other process ends the reader's access within a second. */
async function expectOut(browser: ReaderBrowser): Promise<void> {
  const started = performance.now()
  await expect.poll(() => browser.hasSiteAccess(), PATIENCE).toBe(false)
  expect(performance.now() - started).toBeQuick(SECOND)
}

describe('access that ends in another process within a second', () => {
  test('access ends after the reader signs out', async () => {
    const [browser, elsewhere] = await signIn(await newSite())
    await browser.visit('/logout', { form: {} })
    await expectOut(elsewhere)
  })

  test('access ends when the owner ends all sessions or changes the password', async () => {
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

  test('access ends when the owner changes the mode, even if it is changed back', async () => {
    const site = await newSite()
    const [browser, elsewhere] = await signIn(site)
    await site.set({ mode: 'members' })
    await expectOut(elsewhere)
    await site.set({ mode: 'password' })
    await expectOut(browser)
    await expectOut(elsewhere)
  })

  test('access ends when a token of a program is deleted', async () => {
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
    await expect.poll(isOut, PATIENCE).toBe(true)
    expect(performance.now() - started).toBeQuick(SECOND)
  })

  test('the last use of a token is stored once an hour, and no log has the token', async () => {
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
    await expect.poll(lastUse, PATIENCE).not.toBeNull()
    await setBack(59)
    const before = await lastUse()
    // The token is read again a few times while it is in use.
    const end = performance.now() + 1.2 * SECOND
    await expect.poll(async () => (await read()) && performance.now() > end, PATIENCE).toBe(true)
    expect(await lastUse()).toBe(before)
    await setBack(61)
    const isRecent = async () => {
      await read()
      return Date.parse((await lastUse()) ?? '') > Date.now() - 60 * SECOND
    }
    await expect.poll(isRecent, PATIENCE).toBe(true)
    expect(JSON.stringify(service.log)).not.toContain(made.body.token)
  })

  test('access ends when a member is removed from the organization or disabled', async () => {
    for (const statement of [
      'delete from membership where user_id = $1',
      'update app_user set disabled_at = now() where id = $1',
    ]) {
      const site = await newReaderSite(service)
      await site.set({ mode: 'members' })
      const person = await createPerson(service, site.project, 'viewer')
      const browser = site.browse()
      await expect.poll(async () => (await browser.visit('/login')).status, PATIENCE).toBe(303)
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
  test('the access mode applies to every deployment, preview and rollback', async () => {
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

describe('access without the database', () => {
  test('private pages get 503 within a second, and public pages are served', async () => {
    const site = await newSite()
    const lone = await startSecond()
    const reader = site.browse(portOf(lone))
    const signIn = async () =>
      (await reader.visit('/login', { form: { password: PASSWORD } })).status
    await expect.poll(signIn, PATIENCE).toBe(303)
    expect(await reader.hasSiteAccess()).toBe(true)
    expect((await reader.visit('/news')).text).toContain('public words')
    await lone.database.end()
    await expectOut(reader)
    const refused = await reader.visit('/guide')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect((await reader.visit('/news')).text).toContain('public words')
    const stranger = site.browse(portOf(lone))
    expect((await stranger.visit('/news')).text).toContain('public words')
    expect(await stranger.hasSiteAccess()).toBe(false)
    const late = await stranger.visit('/login', { form: { password: PASSWORD } })
    expect(late.status).toBe(503)
    expect(stranger.cookies.has(READER_COOKIE)).toBe(false)
    lone.server.closeAllConnections()
    lone.server.close()
    await lone.stop().catch(() => {})
  })
})
