import type { Domain } from '@octavo/contract'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { startDnsServer } from '../../../testing/dns-server.ts'
import { startDomainBench } from '../../../testing/domain-bench.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { ProjectLifecycleStore } from '../../projects/projects/lifecycle-store.ts'
import { DomainCheck } from './check-domain.ts'
import { createDomainDns } from './domain-dns.ts'
import { recheckDomains } from './recheck-domains.ts'

/** A timeout longer than the interval at which the directory reloads domains. */
const POLL = { interval: 50, timeout: 10_000 }
const REACHABLE = Array.from({ length: 40 }, (_, index) => `docs${index}.example.com`)
const bench = await startDomainBench([
  ...REACHABLE,
  ...REACHABLE.map((name) => `www.${name}`),
  'apex.example.com',
])
const { service, dns } = bench
afterAll(() => bench.stop())

let count = 0
let name = ''
beforeEach(() => {
  count += 1
  name = `docs${count}.example.com`
})

const PAGE = (origin: string) =>
  `<html><head><link rel="canonical" href="${origin}/"></head><body>Welcome</body></html>`

async function newSite(page = PAGE(`https://${name}`)) {
  const project = await service.createProject(KEY_SCOPES)
  const call = callerOf(service.url, project)
  const site = siteOf({ 'index.html': page, 'guide/index.html': 'Guide' })
  await clientOf(service.url, project).deploy(site)
  const prove = async (domain: string) => {
    const added = await call<Domain>('POST', '/domains', { body: { name: domain } })
    const { record } = added.body
    dns.set('TXT', record.name, [record.value])
    dns.set('A', domain, ['127.0.0.1'])
    return call<Domain>('POST', `/domains/${domain}/check`)
  }
  return { project, call, prove }
}

const get = (host: string, path = '/', method = 'GET') =>
  visit(service.port, host, path, { method })
const statusOf = async (host: string, path = '/') => (await get(host, path)).status
const ask = (query: string) => fetch(`${service.adminUrl}/internal/tls-ask${query}`)
const askFor = async (domain: string) => (await ask(`?domain=${domain}`)).status

describe('domain claims', () => {
  test('claiming a domain normalizes its name and returns the DNS record to add', async () => {
    const { call } = await newSite()
    const reply = await call<Domain>('POST', '/domains', { body: { name: ' BÜCHER.de ' } })
    expect(reply).toMatchObject({
      status: 201,
      body: {
        name: 'xn--bcher-kva.de',
        state: 'waiting',
        redirects: false,
        record: {
          type: 'TXT',
          name: '_octavo-challenge.xn--bcher-kva.de',
          value: expect.stringMatching(/^octavo-domain=[\da-f]{32}$/),
        },
        checks: { claimed: { state: 'waiting', at: null } },
      },
    })
    expect(reply.body.checks.claimed.hint).toContain(reply.body.record.value)
    // All spellings of the name lead to the same domain.
    for (const path of ['xn--bcher-kva.de', 'XN--bcher-KVA.de', encodeURIComponent('bücher.de')])
      expect((await call<Domain>('GET', `/domains/${path}`)).body).toEqual(reply.body)
    expect((await call('GET', '/domains')).body).toEqual({ domains: [reply.body] })
    const again = await call<ProblemBody>('POST', '/domains', { body: { name: 'bücher.de' } })
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test.each([
    ['*.example.com', 'is a wildcard'],
    ['https://example.com/docs', 'has a port, path or query'],
    ['com', 'is a public suffix'],
    ['192.0.2.1', 'is an IP address'],
    ['a.sites.localhost', 'does not end with a public suffix'],
  ])('a claim of the domain %s is rejected', async (wrong, reason) => {
    const { call } = await newSite()
    const { status, body } = await call<ProblemBody>('POST', '/domains', { body: { name: wrong } })
    expect([status, body.param]).toEqual([400, 'name'])
    expect(body.detail).toContain(reason)
  })

  test('a domain can be added as a pasted URL', async () => {
    const { call } = await newSite()
    const pasted = { name: 'https://Docs.pasted.example.com/' }
    const { status, body } = await call<Domain>('POST', '/domains', { body: pasted })
    expect([status, body.name]).toEqual([201, 'docs.pasted.example.com'])
  })

  test('the API returns 404 for unknown and impossible domains', async () => {
    const { call } = await newSite()
    for (const path of [name, '*', 'com', 'a..b'])
      for (const [method, end, body] of [
        ['GET', '', undefined],
        ['POST', '/check', undefined],
        ['PUT', '', { redirects: true }],
        ['DELETE', '', undefined],
      ] as const)
        expect((await call(method, `/domains/${path}${end}`, { body })).status).toBe(404)
  })

  test('a project can have at most 20 domains', async () => {
    const { call } = await newSite()
    for (let index = 0; index < 20; index += 1)
      await call('POST', '/domains', { body: { name: `n${index}.example.com` } })
    const { status, body } = await call<ProblemBody>('POST', '/domains', { body: { name } })
    expect([status, body.detail]).toEqual([409, 'A project can have 20 domains. Remove one first.'])
    expect((await call('DELETE', '/domains/n0.example.com')).status).toBe(204)
    expect((await call('POST', '/domains', { body: { name } })).status).toBe(201)
  })
})

describe('domain checks', () => {
  test('all checks except TLS pass for a domain that points to the service', async () => {
    const { prove } = await newSite()
    const { body } = await prove(name)
    expect(body).toMatchObject({
      state: 'active',
      checks: {
        claimed: { state: 'ok', seen: `TXT ${body.record.value}`, hint: '' },
        resolves: { state: 'ok', seen: '127.0.0.1' },
        reachesUs: { state: 'ok' },
        certificate: { state: 'waiting', seen: 'Not checked: this service does not use TLS.' },
        canonical: { state: 'ok', seen: `https://${name}/` },
      },
    })
    for (const { at } of Object.values(body.checks)) expect(Date.parse(at ?? '')).not.toBeNaN()
  })

  test('the checks of a domain without DNS records say which records to add', async () => {
    const { call } = await newSite()
    await call('POST', '/domains', { body: { name } })
    const { body } = await call<Domain>('POST', `/domains/${name}/check`)
    expect(body.checks).toMatchObject({
      claimed: { state: 'waiting', seen: 'No TXT record (ENOTFOUND)' },
      resolves: { state: 'waiting', seen: 'No address (ENOTFOUND)' },
      reachesUs: { state: 'waiting', hint: 'This is checked after the domain resolves.' },
      certificate: { state: 'waiting' },
      canonical: { state: 'waiting' },
    })
    expect(body.checks.resolves.hint).toMatch(
      /CNAME record: docs\d+\.example\.com to .+\.sites\.localhost/,
    )
  })

  test('the check of canonical links stays fast for a page with many unclosed tags', async () => {
    const { prove } = await newSite(`${'<link '.repeat(60_000)}${PAGE(`https://${name}`)}`)
    const started = performance.now()
    expect((await prove(name)).body.checks.canonical.state).toBe('ok')
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('the checks report a canonical URL of another domain and a private address', async () => {
    const { prove, call } = await newSite()
    const other = `www.${name}`
    const { body } = await prove(other)
    expect(body.checks.canonical).toMatchObject({ state: 'waiting', seen: `https://${name}/` })
    expect(body.checks.canonical.hint).toContain(`"canonical": "https://${other}"`)
    const inside = 'inside.example.com'
    const hidden = await prove(inside)
    expect(hidden.body.checks.reachesUs).toMatchObject({
      state: 'problem',
      seen: `Not reached: ${inside} is not on the public internet`,
    })
    await call('DELETE', `/domains/${inside}`)
  })

  test('the checks ignore TXT records with text that cannot be stored', async () => {
    const { prove, call } = await newSite()
    const { record } = (await prove(name)).body
    for (const strange of ['octavo-domain=\0', 'octavo-domain=\xff\xfe', '\0']) {
      dns.set('TXT', record.name, [strange, record.value])
      const { body } = await call<Domain>('POST', `/domains/${name}/check`)
      expect(body.checks.claimed).toMatchObject({ state: 'ok', seen: `TXT ${record.value}` })
      dns.set('TXT', record.name, [strange])
      expect((await call<Domain>('POST', `/domains/${name}/check`)).body.state).toBe('missing')
    }
  })

  test('sites are built for the first domain that has a certificate', async () => {
    const { call, prove, project } = await newSite()
    const url = async () => (await call<{ url: string }>('GET', '')).body.url
    const certify = (domain: string, state: string) =>
      service.owner.query(
        `update domain_claim set checks = jsonb_set(checks, '{certificate,state}', $3)
          where project_id = $1 and name = $2`,
        [project.id, domain, JSON.stringify(state)],
      )
    const ofService = await url()
    expect(ofService).toContain('.sites.localhost')
    const www = `www.${name}`
    await prove(www)
    await prove(name)
    expect(await url()).toBe(ofService)
    await certify(name, 'ok')
    expect(await url()).toBe(`https://${name}`)
    // The domain that was added first is preferred, unless it redirects.
    await certify(www, 'ok')
    expect(await url()).toBe(`https://${www}`)
    await call('PUT', `/domains/${www}`, { body: { redirects: true } })
    expect(await url()).toBe(`https://${name}`)
    await certify(name, 'problem')
    expect(await url()).toBe(ofService)
  })

  test('the canonical check passes if pages name another domain of the same project', async () => {
    const { prove, call } = await newSite()
    const www = `www.${name}`
    expect((await prove(www)).body.checks.canonical.state).toBe('waiting')
    await prove(name)
    const { body } = await call<Domain>('POST', `/domains/${www}/check`)
    expect(body.checks.canonical).toMatchObject({ state: 'ok', seen: `https://${name}/`, hint: '' })
  })

  test('another server cannot pass the reachability check', async () => {
    const answers = await Promise.all([
      get(name, `/.well-known/octavo/${'a'.repeat(32)}`),
      get(`x${name}`, `/.well-known/octavo/${'a'.repeat(32)}`),
    ])
    const [own, other] = answers.map(({ bytes }) => bytes.toString())
    // The response depends on the name and the nonce.
    expect(own).toMatch(/^[\w-]{43}\n$/)
    expect(other).not.toBe(own)
    expect(await statusOf(name, '/.well-known/octavo/short')).toBe(421)
  })
})

describe('requests to a custom domain', () => {
  test('a domain serves the site only while its claim is proven', async () => {
    const { prove, call } = await newSite()
    expect(await statusOf(name)).toBe(421)
    await prove(name)
    expect(await get(name)).toMatchObject({ status: 200 })
    expect(await statusOf(name.toUpperCase())).toBe(200)
    expect(await statusOf(`${name}:8080`, '/guide')).toBe(200)
    for (const host of [`a.${name}`, `${name}.`, 'example.com', `x${name}`])
      expect([host, await statusOf(host)]).toEqual([host, 421])
    await call('DELETE', `/domains/${name}`)
    expect(await statusOf(name)).toBe(421)
  })

  test('a domain is not served while its project is archived or deleted', async () => {
    const { prove, project } = await newSite()
    await prove(name)
    const life = new ProjectLifecycleStore(service.owner.forProject(project.tenant))
    await life.archive(OPERATOR)
    await expect.poll(() => statusOf(name), POLL).toBe(421)
    expect(await askFor(name)).toBe(404)
    await life.restore(OPERATOR)
    await expect.poll(() => statusOf(name), POLL).toBe(200)
    await life.removeAsOperator()
    await expect.poll(() => statusOf(name), POLL).toBe(421)
  })

  test('a domain still serves its project after the slug has changed', async () => {
    const { prove, call } = await newSite()
    await prove(name)
    await call('PUT', '/settings', { body: { slug: `other-${count}` } })
    await expect.poll(() => statusOf(name), POLL).toBe(200)
  })
})

describe('redirects between www. and the bare domain', () => {
  test('a redirect keeps the path and the query, and needs both domains in the project', async () => {
    const { prove, call } = await newSite()
    await prove(name)
    const www = `www.${name}`
    const change = (domain: string, redirects: boolean) =>
      call<Domain & ProblemBody>('PUT', `/domains/${domain}`, { body: { redirects } })
    const alone = await change(name, true)
    expect([alone.status, alone.body.detail]).toEqual([
      409,
      `Add ${www} to this project first, and switch off its own redirect.`,
    ])
    await call('POST', '/domains', { body: { name: www } })
    expect(await change(www, true)).toMatchObject({ status: 200, body: { redirects: true } })
    // The claim is not proven yet, so the domain is not served.
    expect(await statusOf(www)).toBe(421)
    await call('DELETE', `/domains/${www}`)
    await prove(www)
    expect((await change(www, true)).body.redirects).toBe(true)
    const { status, headers } = await get(www, '/guide?a=1&b=%2F')
    expect([status, headers.location]).toEqual([
      308,
      `http://${name}:${bench.port}/guide?a=1&b=%2F`,
    ])
    expect(await statusOf(name)).toBe(200)
    // The two domains cannot redirect to each other.
    expect((await change(name, true)).status).toBe(409)
    const checked = await call<Domain>('POST', `/domains/${www}/check`)
    expect(checked.body.checks.canonical).toMatchObject({
      state: 'ok',
      seen: `Redirects to ${name}`,
    })
    await call('DELETE', `/domains/${name}`)
    expect(await statusOf(www)).toBe(200)
  })

  test('a redirect to a domain of another project is rejected', async () => {
    const [one, other] = [await newSite(), await newSite()]
    await one.prove(name)
    await other.prove(`www.${name}`)
    const { status } = await one.call('PUT', `/domains/${name}`, { body: { redirects: true } })
    expect(status).toBe(409)
  })
})

describe('certificate decisions', () => {
  test('a certificate is allowed only for host names that serve a site', async () => {
    const { prove, project, call } = await newSite()
    const claimed = `www.${name}`
    await call('POST', '/domains', { body: { name: claimed } })
    await prove(name)
    expect(await askFor(name)).toBe(200)
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    expect(await askFor(`${row?.slug}.sites.localhost`)).toBe(200)
    for (const wrong of [
      claimed,
      `a.${name}`,
      `${name}.`,
      `*.${name}`,
      'sites.localhost',
      'unknown.sites.localhost',
      `a.${row?.slug}.sites.localhost`,
      `${row?.slug}.sites.localhost.`,
      `${row?.slug?.toUpperCase()}.sites.localhost`,
      `${row?.slug}.sites.localhost:443`,
      'x.previews.localhost',
      '127.0.0.1',
      '::1',
      '2130706433',
      'unknown.example.com',
      '',
    ])
      expect([wrong, await askFor(wrong)]).toEqual([wrong, 404])
    for (const query of ['', '?', '?other=1', `?domain=${name}&domain=${name}`])
      expect((await ask(query)).status).toBe(400)
  })

  test('a certificate for a host name with a slug is allowed only if its project has a site', async () => {
    const { project } = await newSite()
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    const slugs = (slug: string | undefined) => `${slug}.sites.localhost`
    expect(await askFor(slugs(row?.slug))).toBe(200)
    const empty = await service.createProject(KEY_SCOPES)
    const [other] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [empty.id],
    )
    expect(await askFor(slugs(other?.slug))).toBe(404)
    // Readers of an archived site see a message, which is also served over TLS.
    await new ProjectLifecycleStore(service.owner.forProject(project.tenant)).archive(OPERATOR)
    await vi.waitFor(async () => expect(await statusOf(slugs(row?.slug))).toBe(410), POLL)
    expect(await askFor(slugs(row?.slug))).toBe(200)
  })

  test("a certificate for a preview is denied, since it would publish the preview's secret name", async () => {
    const { project, call } = await newSite()
    const site = siteOf({ 'index.html': PAGE(`https://${name}`) })
    const client = clientOf(service.url, project)
    const { body } = await client.create(site, { target: 'preview', branch: 'next' })
    await client.upload(body.id, site)
    await client.call('POST', `/deployments/${body.id}/finish`)
    const list = await call<{ previews: { name: string }[] }>('GET', '/previews')
    const host = `${list.body.previews[0]?.name}.previews.localhost`
    expect(await statusOf(host)).toBe(200)
    expect(await askFor(host)).toBe(404)
  })

  // `domains.soak.test.ts` measures the response time.
  test('requests for unknown names cause no database queries', async () => {
    const { pool } = service.service.database
    const query = pool.query
    let queries = 0
    // Count only queries with these names, since polls and background writes continue meanwhile.
    pool.query = ((config: { readonly text: string }, ...rest: unknown[]) => {
      if (JSON.stringify(config).includes('scan-')) queries += 1
      return Reflect.apply(query, pool, [config, ...rest])
    }) as typeof pool.query
    try {
      for (let index = 0; index < 200; index += 1) {
        expect(await askFor(`scan-${index}.example.org`)).toBe(404)
        if (index % 10 === 0) expect(await statusOf(`scan-${index}.example.org`)).toBe(421)
      }
      expect(queries).toBe(0)
    } finally {
      pool.query = query
    }
  })
})

describe('the daily domain check', () => {
  const { database } = service.service
  const check = new DomainCheck({
    dns: createDomainDns([dns.address]),
    pepper: service.settings.pepper,
    allowPrivateHosts: service.settings.allowPrivateHosts,
    url: service.settings.url,
    siteUrlOf: () => undefined,
    onChanged: async () => {},
    now: Date.now,
  })
  const log: string[] = []
  const recheck = () =>
    recheckDomains(
      {
        database,
        domainCheck: check,
        log: createLog((line) => log.push(line), Date.now),
        now: Date.now,
      },
      new AbortController().signal,
    )
  const age = (days: number, columns: readonly string[]) =>
    service.owner.query(
      `update domain_claim set ${columns.map((column) => `${column} = ${column} - make_interval(days => $1)`).join(', ')}
        where name = $2`,
      [days, name],
    )

  test('the daily check detects added and removed DNS records, and a site ends a week after its record', async () => {
    const { call } = await newSite()
    const { body } = await call<Domain>('POST', '/domains', { body: { name } })
    const state = async () => (await call<Domain>('GET', `/domains/${name}`)).body.state
    while ((await recheck()) > 0) {}
    expect(await state()).toBe('waiting')
    dns.set('TXT', body.record.name, [body.record.value])
    expect(await recheck()).toBe(0)
    await age(1, ['next_check_at'])
    expect(await recheck()).toBe(1)
    expect(await state()).toBe('active')
    dns.set('TXT', body.record.name, [])
    await age(1, ['next_check_at'])
    await recheck()
    expect((await call<Domain>('GET', `/domains/${name}`)).body).toMatchObject({
      state: 'missing',
      servedUntil: expect.any(String),
    })
    await age(8, ['next_check_at', 'missing_since'])
    await recheck()
    expect(await state()).toBe('lapsed')
    // The actor in the audit log is the service, since it made these checks without a request.
    const events = await service.owner.query<{ actor: string; action: string }>(
      `select actor, action from audit_event where object = $1 and actor = 'service' order by at`,
      [name],
    )
    expect(events.map(({ action }) => action)).toEqual([
      'domain.active',
      'domain.missing',
      'domain.lapsed',
    ])
    await age(31, ['ended_at'])
    await recheck()
    expect((await call('GET', `/domains/${name}`)).status).toBe(404)
    expect(log).toEqual([])
  })
})

describe('proofs with two DNS servers', () => {
  test('a new proof needs both DNS servers, while one server is enough to keep a domain', async () => {
    const second = await startDnsServer()
    const both = createDomainDns([dns.address, second.address])
    dns.set('TXT', 'two.example.com', ['a', 'b'])
    second.set('TXT', 'two.example.com', ['b', 'c'])
    expect(await both.txt('two.example.com')).toEqual({
      common: ['b'],
      any: ['a', 'b', 'c'],
      failure: undefined,
    })
    second.fail(true)
    expect(await both.txt('two.example.com')).toMatchObject({ common: [], any: ['a', 'b'] })
    await second.stop()
  })
})
