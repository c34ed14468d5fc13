/**
 * Tries 60 spellings of forbidden addresses in every feature that connects to an address that a
 * user entered. A listener on this machine counts connections: there must be none.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv4 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type AddressForm, addressForms, startCanary } from '../../../testing/address-forms.ts'
import { newAssistantSite } from '../../../testing/assistant-site.ts'
import { SITE, startBuildBench } from '../../../testing/build-bench.ts'
import { callerOf } from '../../../testing/call-project.ts'
import { startDnsServer } from '../../../testing/dns-server.ts'
import { newReaderSite, openReaderBrowser, READER_NAMES } from '../../../testing/reader-browser.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { IssuerKeys } from '../../people/identity/issuer-keys.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { openGit } from '../../platform/git/open-git.ts'
import { callApi } from '../providers/call-api.ts'

const canary = await startCanary()
const FORMS = addressForms(canary.address)
const urlOf = ({ host }: AddressForm, scheme = 'http') => `${scheme}://${host}:${canary.port}`
const folder = mkdtempSync(join(tmpdir(), 'octavo-addresses-'))
const dns = await startDnsServer()
const { signal } = new AbortController()

/** A server at an allowed address, which redirects to the URL after the question mark. */
const front = createServer((request, response) => {
  const target = decodeURIComponent(request.url?.split('?')[1] ?? '')
  if (request.url?.startsWith('/issuer')) {
    const issuer = `http://127.0.0.1:${frontPort}${request.url.split('/.well-known')[0]}`
    const uri = decodeURIComponent(request.url.split('/')[2] ?? '')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer, jwks_uri: uri }))
    return
  }
  // Header values are limited to Latin-1, so other host names are sent as the URL parser normalizes
  // them.
  const location = /^[ -~]*$/.test(target) ? target : new URL(target).href
  response.writeHead(302, { location }).end()
})
front.listen(0, '127.0.0.1')
await once(front, 'listening')
const frontPort = (front.address() as AddressInfo).port

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...READER_NAMES,
    blobStore: await openFolderStore(folder),
    secretKeys: SECRET_KEYS,
    dnsServers: [dns.address],
  })
  await service.service.startWorker()
})
afterAll(async () => {
  await service.stop()
  await dns.stop()
  front.closeAllConnections()
  front.close()
  canary.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('all 60 address forms are distinct, and connections to the canary are counted', async () => {
  expect(new Set(FORMS.map(({ host }) => host)).size).toBe(60)
  const before = canary.connections()
  await fetch(`http://${canary.address}:${canary.port}`).catch(() => undefined)
  expect(canary.connections()).toBe(before + 1)
})

/** Tries all forms one after another; returns those that did not produce the expected error. */
async function refusals(
  work: (form: AddressForm) => Promise<string>,
  expected: RegExp,
): Promise<readonly string[]> {
  const before = canary.connections()
  const wrong: string[] = []
  for (const form of FORMS) {
    const said = await work(form)
    if (!expected.test(said)) wrong.push(`${form.name}: ${said.slice(0, 200)}`)
  }
  expect(canary.connections(), 'connections to the canary').toBe(before)
  return wrong
}

const MODEL = { format: 'openai', model: 'tiny' }
/** It is also correct to report that the host name was not found. */
const REFUSED = /not on the public internet|was not found/

const run = (...words: string[]) =>
  runCommand(words, { settings: service.settings, print: () => {}, now: Date.now })

test('the playground proxy refuses all address forms', async () => {
  const project = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  const servers = FORMS.map((form) => URL.parse(urlOf(form))?.origin ?? urlOf(form))
  await clientOf(service.url, project).deploy(
    siteOf({ 'index.html': 'Plants' }, { origins: { servers } }),
  )
  await run('project', 'set', project.publicId, '--playground-proxy', 'on')
  const host = `${row?.slug}.${READER_NAMES.sitesDomain}`
  await expect
    .poll(async () => (await visit(service.port, host, '/_octavo/version.json')).bytes.toString())
    .toContain('"proxy":true')
  const browser = openReaderBrowser(service.port, host)
  const wrong = await refusals(async (form) => {
    const { text } = await browser.visit('/_octavo/proxy', {
      method: 'POST',
      body: JSON.stringify({ url: `${urlOf(form)}/x`, method: 'GET', headers: [] }),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    })
    return text
  }, REFUSED)
  expect(wrong).toEqual([])
})

test("a project's webhook refuses all address forms", async () => {
  const before = canary.connections()
  const projects = new Map<string, string>()
  for (const form of FORMS) {
    const project = await service.createProject(SCOPES)
    await run('project', 'set', project.publicId, '--webhook', `${urlOf(form, 'https')}/hook`)
    await clientOf(service.url, project).deploy(siteOf({ 'index.html': form.name }))
    projects.set(project.publicId, form.name)
  }
  const lines = () => service.log.filter((line) => line.includes('"webhook '))
  const waiting = () =>
    [...projects.keys()].filter((id) => !lines().some((line) => line.includes(id)))
  await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 60_000, interval: 100 })
  expect(lines().filter((line) => !REFUSED.test(line))).toEqual([])
  expect(canary.connections()).toBe(before)
})

test("the assistant's model refuses all address forms", async () => {
  const { project } = await newAssistantSite(service)
  const call = callerOf(service.url, project)
  const wrong = await refusals(async (form) => {
    const url = `${urlOf(form)}/v1`
    const set = await call('PUT', '/assistant', { body: { model: { ...MODEL, url } } })
    if (set.status !== 200) return set.text
    return (await call('POST', '/assistant/test', { body: { question: 'When do I water?' } })).text
  }, /"reason":"provider-error"/)
  expect(wrong).toEqual([])
})

test("a site's OpenID provider refuses all address forms", async () => {
  const site = await newReaderSite(service)
  const wrong = await refusals(async (form) => {
    const issuer = urlOf(form, 'https')
    const set = await site.call<object>('PUT', '/access', {
      body: { mode: 'oidc', oidc: { issuer, clientId: 'docs' } },
    })
    if (set.status !== 200) return set.text
    const { status, text } = await site.browse().visit('/login')
    return `${status} ${text}`
  }, /^502 [\s\S]*is not responding/)
  expect(wrong).toEqual([])
})

test('keys of an allowed OpenID provider refuse all address forms', async () => {
  const wrong = await refusals(async (form) => {
    if (isAllowedHost(form, ['127.0.0.1'])) return 'was not found'
    const keys = new IssuerKeys({
      isExact: false,
      bytesMax: 64_000,
      unknownKeyMs: 0,
      failureMs: 0,
      allowPrivateHosts: ['127.0.0.1'],
      onError: () => {},
      now: Date.now,
    })
    const issuer = `http://127.0.0.1:${frontPort}/issuer/${encodeURIComponent(urlOf(form))}`
    const times = { requiredClaims: [], clockTolerance: 0 }
    const rules = { algorithms: ['RS256'], audience: 'octavo', ...times }
    return keys.verify('', issuer, rules).then(String, String)
  }, REFUSED)
  expect(wrong).toEqual([])
})

test("a project's repository refuses all address forms over HTTP and SSH", async () => {
  const git = await openGit({ folder: join(folder, 'git'), allowPrivateHosts: [] })
  const ask = async (url: string) =>
    JSON.stringify(await git.listRefs({ url, credential: { kind: 'none' } }, signal))
  const before = canary.connections()
  const urls = FORMS.map((form) => `${urlOf(form, 'https')}/a.git`)
  // Each URL starts a sandboxed process, so only every sixth form is tried over SSH, which uses the
  // same network path.
  const ssh = FORMS.filter((_, index) => index % 6 === 0)
  urls.push(...ssh.map(({ host }) => `ssh://git@${host}:${canary.port}/a.git`))
  const wrong: string[] = []
  const askAll = async () => {
    for (let url = urls.pop(); url !== undefined; url = urls.pop()) {
      const said = await ask(url)
      if (!/"kind":"failed"/.test(said)) wrong.push(`${url}: ${said}`)
    }
  }
  await Promise.all([askAll(), askAll(), askAll(), askAll()])
  expect(canary.connections()).toBe(before)
  expect(wrong).toEqual([])
})

test("a Git host's API refuses all address forms", async () => {
  const wrong = await refusals(async (form) => {
    const call = { method: 'GET', headers: {}, secret: undefined, now: Date.now, signal } as const
    const url = `${urlOf(form, 'https')}/api/v3/user`
    return JSON.stringify(await callApi({ ...call, url, allowPrivateHosts: [] }, z.object({})))
  }, REFUSED)
  expect(wrong).toEqual([])
})

test('the check of a custom domain refuses all address forms in DNS records', async () => {
  const project = await service.createProject(SCOPES)
  const call = callerOf(service.url, project)
  const before = canary.connections()
  const seen = new Map<string, string>()
  const addresses = FORMS.map(({ host }) => host).filter((host) => isIPv4(host))
  for (const [index, address] of addresses.entries()) {
    const name = `a${index}.example.com`
    dns.set('A', name, [address])
    const { status } = await call('POST', '/domains', { body: { name } })
    expect(status).toBe(201)
    const { body } = await call<{ checks: { reachesUs: { seen: string } } }>(
      'POST',
      `/domains/${name}/check`,
    )
    seen.set(address, body.checks.reachesUs.seen)
    await call('DELETE', `/domains/${name}`)
  }
  expect(seen.size).toBeGreaterThan(15)
  expect([...seen].filter(([, text]) => !REFUSED.test(text))).toEqual([])
  // One of the two addresses is private, so neither is used.
  dns.set('A', 'two.example.com', ['93.184.216.34', canary.address])
  await call('POST', '/domains', { body: { name: 'two.example.com' } })
  const { text } = await call('POST', '/domains/two.example.com/check')
  expect(text).toMatch(REFUSED)
  expect(canary.connections()).toBe(before)
})

test.each([
  ['a specification that a repository names', [], (url: string) => url],
  [
    'a specification behind a redirect',
    ['127.0.0.1'],
    (url: string) => `http://127.0.0.1:${frontPort}/to?${encodeURIComponent(url)}`,
  ],
])('a build refuses all address forms in the URL of %s', async (_, allowPrivateHosts, wrap) => {
  const bench = await startBuildBench({ limits: { seconds: 90 }, allowPrivateHosts })
  const before = canary.connections()
  try {
    const project = await bench.createProject()
    const build = await project.build({
      ...SITE,
      'docs.json': JSON.stringify({
        name: 'Site',
        navigation: {
          groups: [
            { group: 'Pages', pages: ['index', 'second'] },
            ...FORMS.filter((form) => !isAllowedHost(form, allowPrivateHosts)).map((form) => ({
              group: form.name,
              openapi: wrap(`${urlOf(form)}/openapi.json`),
              pages: [],
            })),
          ],
        },
      }),
    })
    const text = await (await project.get(`/builds/${build.id}/diagnostics`)).text()
    const refused = text.match(/not on the public internet/g) ?? []
    expect(refused.length).toBeGreaterThan(40)
    expect(canary.connections()).toBe(before)
  } finally {
    await bench.stop()
  }
})

const isAllowedHost = ({ host }: AddressForm, allowed: readonly string[]) =>
  allowed.includes(URL.parse(`http://${host}`)?.hostname ?? '')
