/**
 * Measures how much more a page of a private site costs than a public one.
 * Two projects have the same deployment; one is public, the other has a password. It measures the
 * CPU time of the host for the same page, in alternating pairs. The private site has many readers:
 * the requests use their cookies in turn.
 *
 *   npm run lab bench/private-pages -- [readers, 50]
 *
 * Linux only. Needs wrk (`apt-get install wrk`).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { type HostedProject, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { compareCost, needWrk } from './pages/page-cost.ts'

const READERS = Number(process.argv[2] ?? 50)
const RATIO_MAX = 1.5
const PASSWORD = 'a password for a bench'
const SITE = {
  'docs.json': JSON.stringify({
    name: 'Bench',
    navigation: { groups: [{ group: 'All', pages: ['index', 'inside', 'staff'] }] },
  }),
  'index.mdx': '---\ntitle: Start\npublic: true\n---\n\nHello.\n',
  'inside.mdx': `---\ntitle: Inside\n---\n\n${'A paragraph of text about the matter. '.repeat(300)}\n`,
  // Readers without this group do not see the page in the sidebar: the service removes it from each
  // page.
  'staff.mdx': '---\ntitle: Staff\ngroups: [staff]\n---\n\nSecret.\n',
}

needWrk()
const hosting = await startHosting()
try {
  await run()
} finally {
  await hosting.stop()
}

async function run(): Promise<void> {
  const folder = join(hosting.folder, 'docs')
  mkdirSync(folder)
  for (const [path, text] of Object.entries(SITE)) writeFileSync(join(folder, path), text)
  await hosting.start('api')
  const host = await hosting.start('host')
  const [open, closed] = [hosting.createProject('open'), hosting.createProject('closed')]
  for (const project of [open, closed]) {
    const { code, err } = await hosting.octavo(project, 'deploy', folder)
    if (code !== 0) throw new Error(err)
  }
  await protect(closed)
  const cookies: string[] = []
  for (let count = 0; count < READERS; count += 1)
    cookies.push(await signIn(host.port, closed.host))
  const script = join(hosting.folder, 'cookies.lua')
  const list = cookies.map((cookie) => JSON.stringify(cookie)).join(',')
  writeFileSync(
    script,
    `local cookies = {${list}}\nlocal at = 0\nrequest = function()\n  at = at + 1\n  wrk.headers["Cookie"] = cookies[at % #cookies + 1]\n  return wrk.format()\nend\n`,
  )
  const loads = [
    { host: open.host, path: '/inside' },
    { host: closed.host, path: '/inside', script },
  ] as const
  const { pairs, micros, ratio, ratios } = compareCost(host, loads)
  console.log(
    `${READERS} readers, ${pairs} pairs: ${micros[0]} µs of CPU for a public page, ${micros[1]} µs for a private one: ${ratio.toFixed(2)} × (${ratios}), at most ${RATIO_MAX} ${ratio <= RATIO_MAX ? '✓' : '✗'}`,
  )
  if (ratio > RATIO_MAX) process.exitCode = 1
}

async function protect({ projectId, adminKey }: HostedProject): Promise<void> {
  const reply = await fetch(`${hosting.url}/v1/projects/${projectId}/access`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'password', password: PASSWORD }),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

/** Signs in as a browser does; retries until the host knows that the site has a password. */
async function signIn(port: number, host: string, tries = 50): Promise<string> {
  const body = new URLSearchParams({ password: PASSWORD }).toString()
  const cookie = await new Promise<string | undefined>((resolve, reject) => {
    const headers = {
      host,
      origin: `http://${host}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request({ host: '127.0.0.1', port, path: '/login', method: 'POST', headers })
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.resume()
      const set = (response.headers['set-cookie'] ?? []).find((one) => one.includes('-reader='))
      resolve(set?.split(';')[0])
    })
    sent.end(body)
  })
  if (cookie !== undefined) return cookie
  if (tries === 0) throw new Error('signing in failed')
  await new Promise((done) => setTimeout(done, 200))
  return signIn(port, host, tries - 1)
}
