/** Tests `octavo domain` with a real service, database and DNS server. */

import type { Domain, DomainList } from '@octavo/contract'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, expect, test } from 'vitest'
import { run } from '../../../../cli/src/run.ts'
import { startDomainBench } from '../../../testing/domain-bench.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'

const bench = await startDomainBench(['docs.example.com', 'www.docs.example.com'])
const { service, dns } = bench
afterAll(() => bench.stop())

const project = await service.createProject(KEY_SCOPES)
const PAGE = '<html><head><link rel="canonical" href="https://docs.example.com/"></head></html>'
await clientOf(service.url, project).deploy(siteOf({ 'index.html': PAGE }))

async function domain(...args: readonly string[]) {
  let [out, err] = ['', '']
  const code = await run({
    args: ['domain', ...args, '--project', project.publicId, '--service', service.url],
    cwd: '.',
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: project.token },
    clock: { now: Date.now, sleep: async () => {} },
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

test('the commands `domain add` and `domain check` show the DNS records and the remaining steps', async () => {
  expect(await domain()).toMatchObject({
    code: 0,
    out: 'There are no domains. `octavo domain add docs.example.com` adds one.\n',
  })
  const added = await domain('add', 'Docs.example.com')
  expect(added).toMatchObject({ code: 0, err: '' })
  const [, value = ''] = /(octavo-domain=[\da-f]{32})/.exec(added.out) ?? []
  expect(added.out).toContain(`TXT    _octavo-challenge.docs.example.com  ${value}\n`)
  expect(added.out).toMatch(/CNAME {2}docs\.example\.com +\S+\.sites\.localhost\n/)

  const early = await domain('check', 'docs.example.com')
  expect(early).toMatchObject({ code: 1, err: '' })
  expect(early.out).toContain('docs.example.com  waiting\n')
  expect(early.out).toContain(
    `  ○ Claimed: No TXT record (ENOTFOUND)  from DNS servers ${dns.address}, `,
  )
  expect(early.out).toContain(`    Next: Add a TXT record: name _octavo-challenge`)
  expect(early.out).toContain('    Next: Add a CNAME record: docs.example.com to ')
  expect(early.out).toContain('  ○ Certificate: Not checked.\n')
  expect((await domain('list')).out).toMatch(/docs\.example\.com +waiting +Claimed\n/)

  dns.set('TXT', '_octavo-challenge.docs.example.com', [value])
  dns.set('A', 'docs.example.com', ['127.0.0.1'])
  const late = await domain('check')
  expect(late.out).toMatch(/✓ Reaches this service: .* {2}from this service, \d{4}-.* UTC\n/)
  // Without TLS, the domain is complete although it has no certificate.
  expect(late.out).toContain('  ○ Certificate: Not checked: this service does not use TLS.')
  expect(late.out).not.toContain('Next:')
  expect(late.code).toBe(0)
  expect((await domain('list')).out).toMatch(/docs\.example\.com +active\n/)
})

test('the command `domain redirect` needs the www. domain and can be undone', async () => {
  expect(await domain('redirect', 'docs.example.com')).toMatchObject({
    code: 1,
    err: 'octavo: The service refused the request (409): Add www.docs.example.com to this project first, and switch off its own redirect.\n',
  })
  await domain('add', 'www.docs.example.com')
  expect((await domain('redirect', 'docs.example.com')).out).toContain(
    'docs.example.com redirects to the domain with www. now.',
  )
  expect((await domain()).out).toMatch(/\ndocs\.example\.com +active, redirects/)
  expect((await domain('no-redirect', 'docs.example.com')).out).toContain('does not redirect')
})

test('the commands print the API response with the option --json', async () => {
  const one: Domain = JSON.parse((await domain('check', 'docs.example.com', '--json')).out)
  expect(one.checks.claimed).toMatchObject({ label: 'Claimed', state: 'ok' })
  const all: DomainList = JSON.parse((await domain('check', '--json')).out)
  expect(all.domains.map(({ name }) => name)).toEqual(['docs.example.com', 'www.docs.example.com'])
  expect(JSON.parse((await domain('--json')).out)).toEqual(all)
})

test('the command `domain remove` works only once, and rejected commands show the reason', async () => {
  expect(await domain('remove', 'docs.example.com')).toMatchObject({ code: 0, err: '' })
  expect(await domain('remove', 'docs.example.com')).toMatchObject({
    code: 1,
    err: 'octavo: The service refused the request (404): The project does not have this domain.\n',
  })
  expect(await domain('add', '*.example.com')).toMatchObject({
    code: 1,
    err: expect.stringContaining('The domain is a wildcard: add each domain by its name.'),
  })
})
