/**
 * Tests that members of an organization can sign in to a private site with their dashboard account.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  expectSafe,
  newReaderSite,
  READER_NAMES,
  type ReaderBrowser,
  type ReaderSite,
} from '../../../testing/reader-browser.ts'
import { siteOf } from '../../../testing/test-deployment.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import { PEPPER, startTestService, type TestService } from '../../../testing/test-service.ts'
import { visitService } from '../../../testing/visit-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createPepperRing } from '../../platform/secrets/pepper-ring.ts'
import { READER_COOKIE } from './find-reader.ts'
import { createCodeSealers } from './members-sign-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-members-'))
let clockMs = 0
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...READER_NAMES,
    blobStore: await openFolderStore(folder),
    now: () => Date.now() + clockMs,
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  clockMs = 0
})

const tokenOf = (browser: ReaderBrowser) => browser.cookies.get(READER_COOKIE)

describe('sign-in of members', () => {
  let site: ReaderSite
  let owner: TestPerson
  let outsider: TestPerson
  beforeAll(async () => {
    site = await newReaderSite(service)
    await site.set({ mode: 'members' })
    owner = await createPerson(service, site.project, 'owner')
    outsider = await createPerson(service, await service.createProject(), 'owner')
  })

  /** Starts a sign-in, and returns the URL to which the dashboard sends the person back. */
  async function authorize(browser: ReaderBrowser, person: TestPerson, to = '/guide') {
    const begun = await browser.visit(`/login?to=${encodeURIComponent(to)}`)
    expect(begun.location).toMatch(/^http:\/\/127\.0\.0\.1:8080\/readers\/sign-in\?request=/)
    expectSafe(begun)
    const { pathname, search } = new URL(begun.location)
    const { cookie } = person
    const page = await visitService(service, pathname + search, { cookie })
    const refresh = page.headers.get('refresh') ?? ''
    return { page, back: refresh && new URL(refresh.replace('0;url=', '')) }
  }

  async function codeOf(browser: ReaderBrowser, person = owner): Promise<string> {
    const { back } = await authorize(browser, person)
    return back === '' ? '' : back.pathname + back.search
  }

  test('a member signs in with a code from the dashboard and gets the group of their role', async () => {
    const browser = site.browse()
    const { page, back } = await authorize(browser, owner)
    expect(page.headers.get('cache-control')).toBe('no-store')
    if (back === '') throw new Error('nobody was sent back')
    expect([back.host, back.pathname]).toEqual([site.host, '/login/code'])
    const done = await browser.visit(back.pathname + back.search)
    expect([done.status, done.location]).toEqual([303, '/guide'])
    expectSafe(done)
    expect(await browser.hasSiteAccess()).toBe(true)
    expect((await browser.visit('/owners')).text).toContain('words for owners')
    expect((await browser.visit('/staff')).status).toBe(404)
  })

  test('a member without a session on the dashboard is sent to its sign-in page', async () => {
    const { location } = await site.browse().visit('/login')
    const { pathname, search } = new URL(location)
    const sent = await visitService(service, pathname + search)
    expect(sent.location).toBe(`/sign-in?next=${encodeURIComponent(pathname + search)}`)
  })

  test('a member of another organization gets an explanation instead of a code', async () => {
    const { page, back } = await authorize(site.browse(), outsider)
    expect([page.status, back]).toEqual([403, ''])
    expect(page.text).toContain(`${outsider.email}, who is not a member`)
  })

  test('a person whose only role is in this project gets access', async () => {
    const person = await createPerson(service, site.project, 'viewer', 'project')
    const browser = site.browse()
    expect((await browser.visit(await codeOf(browser, person))).status).toBe(303)
    expect(await browser.hasSiteAccess()).toBe(true)
  })

  async function expectRefused(browser: ReaderBrowser, path: string): Promise<void> {
    const refused = await browser.visit(path)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('started in another browser or has expired')
    expect(tokenOf(browser)).toBeUndefined()
  }

  test('verifying an address for the first time invalidates the sessions and codes of the member', async () => {
    const person = await createPerson(service, site.project, 'viewer')
    await service.owner.query('update app_user set verified_at = null where id = $1', [person.id])
    const [browser, late] = [site.browse(), site.browse()]
    await browser.visit(await codeOf(browser, person))
    expect(await browser.hasSiteAccess()).toBe(true)
    const path = await codeOf(late, person)
    await service.owner.query('select verify_address($1)', [person.id])
    expect((await late.visit(path)).status).toBe(403)
    expect(tokenOf(late)).toBeUndefined()
    await expect.poll(() => browser.hasSiteAccess()).toBe(false)
  })

  test('a sign-in code cannot be used twice', async () => {
    const browser = site.browse()
    const path = await codeOf(browser)
    const kept = new Map(browser.cookies)
    expect((await browser.visit(path)).status).toBe(303)
    browser.cookies.clear()
    for (const [name, value] of kept) browser.cookies.set(name, value)
    await expectRefused(browser, path)
  })

  test('a sign-in code expires after a minute', async () => {
    const [late, early] = [site.browse(), site.browse()]
    const [latePath, earlyPath] = [await codeOf(late), await codeOf(early)]
    clockMs = 55_000
    expect((await early.visit(earlyPath)).status).toBe(303)
    clockMs = 61_000
    await expectRefused(late, latePath)
  })

  test('a sign-in code is rejected in another browser and for another attempt', async () => {
    const browser = site.browse()
    const path = await codeOf(browser)
    await expectRefused(site.browse(), path)
    const other = site.browse()
    await codeOf(other)
    await expectRefused(other, path)
  })

  test('a sign-in code is rejected if it is forged or is for another host, project or person', async () => {
    const browser = site.browse()
    await browser.visit('/login')
    const attempt = [...browser.cookies.values()][0] ?? ''
    const [body = ''] = attempt.split('.')
    const { value } = JSON.parse(Buffer.from(body, 'base64url').toString())
    const code = {
      host: site.host,
      projectId: site.project.id,
      userId: owner.id,
      isVerified: true,
      state: value.state,
    }
    const sealed = (change: object, pepper = PEPPER) =>
      createCodeSealers({ pepper, now: Date.now }).codes.seal({ ...code, ...change }, 60)
    const attempts = new Map(browser.cookies)
    const other = await newReaderSite(service)
    const right = sealed({})
    for (const text of [
      sealed({ host: other.host }),
      sealed({ projectId: other.project.id }),
      sealed({ state: 'x' }),
      sealed({ state: '' }),
      sealed({}, createPepperRing({ current: 'another pepper, 32 characters or more' })),
      createCodeSealers({ pepper: PEPPER, now: Date.now }).requests.seal(code, 60),
      right.replace(/^./, 'x'),
      `${Buffer.from(JSON.stringify({ value: { ...code, userId: '1' }, endsAt: 9e15 })).toString('base64url')}.${right.split('.')[1]}`,
      `${right}x`,
      '',
      'x',
    ]) {
      for (const [name, one] of attempts) browser.cookies.set(name, one)
      await expectRefused(browser, `/login/code?code=${encodeURIComponent(text)}`)
    }
    for (const [name, one] of attempts) browser.cookies.set(name, one)
    expect((await browser.visit(`/login/code?code=${right}`)).status).toBe(303)
  })

  test("sign-in codes are issued only for the exact hosts of the member's projects", async () => {
    const seal = (host: string, path = '/login/code') =>
      createCodeSealers({ pepper: PEPPER, now: Date.now }).requests.seal(
        { host, path, state: 'x' },
        60,
      )
    const ask = (request: string) =>
      visitService(service, `/readers/sign-in?request=${encodeURIComponent(request)}`, {
        cookie: owner.cookie,
      })
    expect((await ask(seal(site.host))).status).toBe(200)
    const bare = site.host.replace(':8080', '')
    for (const host of [
      bare,
      `${bare}:8081`,
      `x.${site.host}`,
      `${bare}.evil.example:8080`,
      `evil.example#${site.host}`,
      `evil.example/${site.host}`,
      `${site.host}@evil.example`,
      `${bare}.:8080`,
      '127.0.0.1:8080',
      'evil.example:8080',
      '',
    ])
      expect((await ask(seal(host))).status).toBe(403)
    for (const request of ['', 'x', `${seal(site.host)}x`])
      expect((await ask(request)).status).toBe(403)
    const post = await visitService(service, `/readers/sign-in?request=${seal(site.host)}`, {
      cookie: owner.cookie,
      form: {},
      headers: { origin: READER_NAMES.url },
    })
    expect(post.status).toBe(405)
  })

  test('a member can sign in to a custom domain and to a preview', async () => {
    await service.owner.query(
      `insert into domain_claim (project_id, name, token, state, seen_at)
       values ($1, 'docs.members.example', repeat('a', 32), 'active', now())`,
      [site.project.id],
    )
    const seal = (host: string) =>
      createCodeSealers({ pepper: PEPPER, now: Date.now }).requests.seal(
        { host, path: '/login/code', state: 'x' },
        60,
      )
    const statusOf = async (host: string, { cookie } = owner) =>
      (await visitService(service, `/readers/sign-in?request=${seal(host)}`, { cookie })).status
    expect(await statusOf('docs.members.example:8080')).toBe(200)
    expect(await statusOf('docs.members.example:8080', outsider)).toBe(403)
    expect(await statusOf('www.docs.members.example:8080')).toBe(403)
    await site.client.deploy(siteOf({ 'index.html': 'x' }), { target: 'preview', branch: 'new' })
    const [preview] = await service.owner.query<{ name: string }>(
      'select name from preview where project_id = $1',
      [site.project.id],
    )
    expect(await statusOf(`${preview?.name}.previews.localhost:8080`)).toBe(200)
    expect(await statusOf(`${preview?.name}.previews.localhost:8080`, outsider)).toBe(403)
    expect(await statusOf('unknown.previews.localhost:8080')).toBe(403)
  })
})
