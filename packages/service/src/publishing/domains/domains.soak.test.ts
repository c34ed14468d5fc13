/**
 * Tests custom domains as readers see them: a domain is claimed, gets a certificate on demand, and
 * serves a page over HTTPS in a browser.
 * All parts are real: Caddy with its file from `deploy/`, Pebble, a DNS server, PostgreSQL and
 * processes of the service.
 *
 *   npm run test:soak -- publishing/domains
 *
 * Needs the Debian packages caddy and pebble, openssl, and the ports 80 and 443 of 127.0.0.2.
 */
import { createHash, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { Domain } from '@octavo/contract'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DnsServer, startDnsServer } from '../../../testing/dns-server.ts'
import { type HostedProject, type Hosting, startHosting } from '../../../testing/start-hosting.ts'
import {
  createCertificate,
  type RunningPebble,
  startPebble,
} from '../../../testing/start-pebble.ts'
import { freePort } from '../../../testing/start-postgres.ts'
import { hasProgram, startCaddy, type WebServer } from '../../../testing/start-web-server.ts'
import { openDatabase } from '../../platform/database/database.ts'

/** Caddy's address, which no other test uses. */
const ADDRESS = '127.0.0.2'
const NAME = 'docs.example.com'
const CHROMIUM = '/usr/bin/chromium'
const DOMAINS = 10_000
const SCANNED = 1_000
const ASK_P99_MS_MAX = 5
const ROUNDS = 5
const POLL = { interval: 100, timeout: 15_000 }
const PACKAGES = ['caddy', 'pebble', 'openssl']

const missing = PACKAGES.filter((program) => !hasProgram(program))
const canListen = await mayListen(443)
if (missing.length > 0)
  console.log(`Skipped: apt-get install --no-install-recommends ${missing.join(' ')}`)
else if (!canListen) console.log(`Skipped: no permission to listen at ${ADDRESS}:443.`)

describe.skipIf(missing.length > 0 || !canListen)('custom domains with Caddy and Pebble', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-domains-soak-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  let dns: DnsServer
  let pebble: RunningPebble
  let hosting: Hosting
  let project: HostedProject
  let caddy: WebServer
  let adminPort = 0
  let servicePid = 0

  beforeAll(async () => {
    dns = await startDnsServer()
    ends.push(dns.stop)
    pebble = await startPebble(dns.address)
    ends.push(pebble.stop)
    adminPort = await freePort()
    hosting = await startHosting({
      settings: { fsync: 'off' },
      environment: {
        // Readers use TLS, while commands connect to the service without it.
        OCTAVO_URL: 'https://127.0.0.1',
        OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
        OCTAVO_ADMIN_PORT: String(adminPort),
        OCTAVO_DNS_SERVERS: dns.address,
        OCTAVO_ALLOW_PRIVATE_HOSTS: `${NAME},www.${NAME}`,
        NODE_EXTRA_CA_CERTS: pebble.rootFile,
      },
    })
    ends.push(hosting.stop)
    project = hosting.createProject('plants')
    const service = await hosting.start('all')
    servicePid = service.pid()
    createCertificate({
      file: join(folder, 'previews.crt'),
      key: join(folder, 'previews.key'),
      names: ['DNS:*.previews.localhost'],
    })
    mkdirSync(join(folder, 'certificates'))
    writeFileSync(
      join(folder, 'certificates/previews.pem'),
      ['crt', 'key'].map((end) => readFileSync(join(folder, `previews.${end}`), 'utf8')).join(''),
    )
    dns.set('A', 'octavo.example.com', [ADDRESS])
    const recipe = readFileSync(
      join(import.meta.dirname, '../../../../../deploy/caddy/Caddyfile'),
      'utf8',
    )
    caddy = await startCaddy({
      address: ADDRESS,
      port: 443,
      configuration: recipe
        .replace('# load /etc/caddy/', `load ${folder}/`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`)
        .replaceAll('127.0.0.1:9080', `127.0.0.1:${adminPort}`),
      options: `\tdefault_bind ${ADDRESS}\n\tacme_ca ${pebble.directoryUrl}\n\tacme_ca_root ${pebble.certificateFile}\n`,
    })
    ends.push(caddy.stop)
  }, 180_000)
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  /**
   * Connects with TLS as a browser would. Returns the names in the certificate, and rejects if the
   * certificate is not trusted.
   */
  const namesAt = (servername: string, ca = pebble.root) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: ADDRESS, port: 443, servername, ca }, () => {
        resolve(socket.getPeerCertificate().subjectaltname ?? '')
        socket.destroy()
      })
      socket.on('error', reject)
    })

  const checked = async (name: string): Promise<Domain> =>
    JSON.parse((await hosting.octavo(project, 'domain', 'check', name, '--json')).out)

  test('a claimed domain gets a certificate and a page, and passes all five checks', async () => {
    writeSite(join(folder, 'site'))
    const deployed = await hosting.octavo(project, 'deploy', join(folder, 'site'))
    expect(deployed).toMatchObject({ code: 0, err: '' })
    const begun = performance.now()
    const added = await hosting.octavo(project, 'domain', 'add', NAME, '--json')
    const { record, target }: Domain = JSON.parse(added.out)
    expect(target).toBe('plants.sites.localhost')
    dns.set('A', NAME, [ADDRESS])
    // Without the DNS record, no certificate is ordered, and the check says why.
    await expect(namesAt(NAME)).rejects.toThrow()
    const early = await checked(NAME)
    expect(early.checks).toMatchObject({
      claimed: { state: 'waiting' },
      resolves: { state: 'ok', seen: ADDRESS },
      reachesUs: { state: 'ok' },
      certificate: { state: 'waiting', seen: 'Not checked.' },
    })
    dns.set('TXT', record.name, [record.value])
    // The canonical URLs of pages change to the domain only when the site is built again.
    const { canonical, certificate } = (await checked(NAME)).checks
    expect([certificate.state, canonical.state, canonical.seen]).toEqual([
      'ok',
      'waiting',
      'https://plants.sites.localhost/',
    ])
    expect(canonical.hint).toContain('Deploy again')
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    expect(Number(/^octavo_certificate_days (.*)$/m.exec(metrics)?.[1])).toBeGreaterThan(0)
    console.log(`claim to certificate: ${(performance.now() - begun).toFixed(0)} ms`)
    await hosting.octavo(project, 'deploy', join(folder, 'site'))
    let late = await checked(NAME)
    await vi.waitFor(async () => {
      late = await checked(NAME)
      expect(late.checks.canonical.state).toBe('ok')
    }, POLL)
    const states = Object.entries(late.checks).map(([name, { state }]) => `${name} ${state}`)
    expect([late.checks, states]).toEqual([
      late.checks,
      ['claimed ok', 'resolves ok', 'reachesUs ok', 'certificate ok', 'canonical ok'],
    ])
    expect(await namesAt(NAME)).toBe(`DNS:${NAME}`)
  })

  test('a browser that opens a domain over HTTP is redirected to HTTPS and shows the page', async () => {
    const key = new X509Certificate(pebble.intermediate).publicKey.export({
      type: 'spki',
      format: 'der',
    })
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        `--host-resolver-rules=MAP ${NAME} ${ADDRESS}`,
        // The browser trusts only certificates that Pebble issued.
        `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
      ],
    })
    try {
      const page = await browser.newPage()
      const response = await page.goto(`http://${NAME}/`)
      expect([page.url(), response?.status()]).toEqual([`https://${NAME}/`, 200])
      expect(await page.locator('h1').textContent()).toContain('Welcome')
      expect((await response?.securityDetails())?.subjectName).toBeDefined()
      await page.goto(`https://${NAME}/guide`)
      expect(await page.title()).toContain('Guide')
    } finally {
      await browser.close()
    }
  })

  test('unknown names, subdomains and previews get no certificate', async () => {
    for (const name of [
      'unknown.example.com',
      `sub.${NAME}`,
      'unknown.sites.localhost',
      'a.b.sites.localhost',
      'a.b.previews.localhost',
      'com',
    ]) {
      dns.set('A', name, [ADDRESS])
      await expect(namesAt(name), name).rejects.toThrow()
    }
    // A preview uses the operator's wildcard certificate. No other certificate was ordered.
    const own = readFileSync(join(folder, 'previews.crt'), 'utf8')
    const preview = 'plants-main-k3vq7m2xw5tyb4cdhn6p.previews.localhost'
    expect(await namesAt(preview, own)).toBe('DNS:*.previews.localhost')
    for (const name of [
      preview,
      '*.example.com',
      `*.${NAME}`,
      `${NAME}.`,
      NAME.toUpperCase(),
      '127.0.0.2',
    ])
      expect([name, (await ask(name)).status]).toEqual([name, 404])
    // Pebble issued one certificate for the API and one for the domain.
    expect(pebble.issuedCount()).toBe(2)
  })

  test('a certificate for a site is ordered when its first reader arrives', async () => {
    const site = 'plants.sites.localhost'
    dns.set('A', site, [ADDRESS])
    expect((await ask(site)).status).toBe(200)
    expect(await namesAt(site)).toBe(`DNS:${site}`)
    expect(pebble.issuedCount()).toBe(3)
  })

  test('a certificate for a removed domain is denied', async () => {
    await hosting.octavo(project, 'domain', 'add', `www.${NAME}`)
    const { record } = await checked(`www.${NAME}`)
    dns.set('TXT', record.name, [record.value])
    dns.set('A', `www.${NAME}`, [ADDRESS])
    expect((await checked(`www.${NAME}`)).checks.certificate.state).toBe('ok')
    await hosting.octavo(project, 'domain', 'remove', `www.${NAME}`)
    expect((await ask(`www.${NAME}`)).status).toBe(404)
  })

  test(`${DOMAINS} domains work while the database is down and a scanner tries ${SCANNED} unknown names`, async () => {
    const before = residentMb()
    const issued = pebble.issuedCount()
    const owner = openDatabase({ url: hosting.postgres.url, connections: 1 })
    await owner.query(
      `insert into domain_claim (project_id, name, token, state, seen_at, next_check_at)
       select p.id, 'docs.n' || n || '.example.com', lpad(n::text, 32, '0'), 'active', now(), now() + interval '1 day'
         from project p, generate_series(1, $1) n where p.slug = 'plants'`,
      [DOMAINS],
    )
    const last = `docs.n${DOMAINS}.example.com`
    await vi.waitFor(async () => expect((await ask(last)).status).toBe(200), POLL)
    const begun = performance.now()
    await owner.query('select * from find_served_domains()')
    const pollMs = performance.now() - begun
    await owner.end()
    const unknown = (index: number) => `scan-${index}.example.org`
    /**
     * Asks for certificates of unknown names. Returns the 99th percentile of the response times in
     * milliseconds.
     */
    async function scanOnce(): Promise<number> {
      const times: number[] = []
      for (let index = 0; index < SCANNED; index += 1) {
        const { status, ms } = await ask(unknown(index))
        expect(status).toBe(404)
        times.push(ms)
      }
      return times.toSorted((one, other) => one - other)[Math.floor(SCANNED * 0.99)] ?? 0
    }
    // The first round is not measured, because the code is still being compiled.
    await scanOnce()
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scanOnce())
    const p99 = rounds.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0
    // Certificate requests do not query the database, so they still work when it is down.
    await hosting.postgres.kill()
    const downP99 = await scanOnce()
    // Caddy asks the service on each TLS handshake, so repeat the scan through Caddy.
    const scan = performance.now()
    for (let index = 0; index < SCANNED; index += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, offset) =>
          expect(namesAt(unknown(index + offset))).rejects.toThrow(),
        ),
      )
    const scanMs = performance.now() - scan
    expect((await ask(last)).status).toBe(200)
    expect((await ask(NAME)).status).toBe(200)
    await hosting.postgres.restart()
    expect(pebble.issuedCount()).toBe(issued)
    console.log(
      `ask over the wire for ${SCANNED} unknown names: p99 of ${ROUNDS} rounds ${rounds.map((ms) => ms.toFixed(2)).join(', ')} ms, without a database ${downP99.toFixed(2)} ms`,
    )
    console.log(`${SCANNED} handshakes through Caddy refused in ${(scanMs / 1_000).toFixed(1)} s`)
    console.log(
      `${DOMAINS} domains: one poll ${pollMs.toFixed(0)} ms; resident ${before.toFixed(0)} MB, then ${residentMb().toFixed(0)} MB`,
    )
    expect(p99).toBeQuick(ASK_P99_MS_MAX)
  })

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (name: string) =>
    new Promise<{ status: number; ms: number }>((resolve, reject) => {
      const begun = performance.now()
      const path = `/internal/tls-ask?domain=${encodeURIComponent(name)}`
      get({ host: '127.0.0.1', port: adminPort, path, agent }, async (response) => {
        await response.toArray()
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - begun })
      }).on('error', reject)
    })

  function residentMb(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(
      readFileSync(`/proc/${servicePid}/status`, 'utf8'),
    ) ?? ['', '0']
    return Number(kilobytes) / 1_024
  }
})

function writeSite(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const config = {
    name: 'Plants',
    navigation: { pages: ['index', 'guide'] },
  }
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'index.mdx'), '---\ntitle: Welcome\n---\n\nText.\n')
  writeFileSync(join(folder, 'guide.mdx'), '---\ntitle: Guide\n---\n\nText.\n')
}

function mayListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, ADDRESS, () => server.close(() => resolve(true)))
  })
}
