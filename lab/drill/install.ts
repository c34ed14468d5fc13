/**
 * Installs the stack and publishes a page over HTTPS like a new user, counting steps and minutes.
 * It starts the stack, opens the link from its log in Chromium, fills in the form, creates a key,
 * deploys a folder with the command line, and reads the page with a verified certificate. It counts
 * commands, typed fields, clicks and minutes.
 *
 *   npm run lab drill/install        (needs Caddy, and /usr/bin/chromium)
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Locator } from 'playwright-core'
import { freePort } from '../../packages/service/testing/start-postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const OCTAVO = join(ROOT, 'packages/cli/src/main.ts')
const START_MS_MAX = 180_000
const MINUTES_MAX = 10
const COMMANDS_MAX = 6
const SITE = {
  'docs.json': JSON.stringify({ name: 'Garden', navigation: { pages: ['index'] } }),
  'index.mdx': '---\ntitle: Water your plants\n---\n\nTwice a week.\n',
}
const FIELDS = {
  'Your name': 'Amara Okafor',
  'E-mail address': 'amara@greenhouse.example',
  Organization: 'Greenhouse',
  'First project': 'Garden docs',
}

const counts = { commands: 0, clicks: 0, fields: 0 }
const begun = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'octavo-drill-'))
const httpsPort = await freePort()
const httpPort = await freePort()
counts.commands += 1
const stack = spawn(
  process.execPath,
  [
    ...['--no-warnings', join(ROOT, 'lab/drill/stack.ts')],
    ...['--https-port', String(httpsPort), '--http-port', String(httpPort)],
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  await run()
} finally {
  const ended = new Promise((resolve) => stack.once('exit', resolve))
  if (stack.exitCode === null) {
    stack.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const { authority, setupUrl } = await readStart()
  tell('the stack is up')
  const owner = await setUp(setupUrl)
  tell('the first owner is signed in, and has a project and a key')
  deploy({ ...owner, authority })
  tell('the folder is deployed')
  const page = `https://garden-docs.sites.localhost:${httpsPort}/`
  const html = await readPage(page, readFileSync(authority))
  if (!html.includes('Water your plants')) throw new Error(`${page} has another page`)
  tell(`${page} answers over HTTPS, with a certificate of the authority`)
  const minutes = (performance.now() - begun) / 60_000
  const isEasy = minutes <= MINUTES_MAX && counts.commands <= COMMANDS_MAX
  console.log(
    `${counts.commands} commands, ${counts.fields} typed fields, ${counts.clicks} clicks, ${minutes.toFixed(1)} minutes: ${isEasy ? 'PASS' : 'FAIL'}`,
  )
  if (!isEasy) process.exitCode = 1
}

function readStart(): Promise<{ readonly authority: string; readonly setupUrl: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the stack did not start')), START_MS_MAX)
    stack.once('exit', () => reject(new Error('the stack has ended')))
    let authority = ''
    createInterface({ input: stack.stdout }).on('line', (line) => {
      console.log(line.replace(/(\/setup\/octavo_lnk_)\w+/, '$1…'))
      authority = /^Certificate authority: (.*)$/.exec(line)?.[1] ?? authority
      const setupUrl = /^Set up the dashboard: (.*)$/.exec(line)?.[1]
      if (setupUrl === undefined) return
      clearTimeout(timer)
      resolve({ authority, setupUrl })
    })
  })
}

/**
 * Fills in the setup form in Chromium, which does not trust our certificate authority. The page is
 * read later with certificate verification.
 */
async function setUp(setupUrl: string) {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    const type = async (label: string, text: string) => {
      counts.fields += 1
      await page.getByLabel(label, { exact: true }).fill(text)
    }
    const click = async (target: Locator) => {
      counts.clicks += 1
      await target.click()
    }
    await page.goto(setupUrl)
    for (const [label, text] of Object.entries(FIELDS)) await type(label, text)
    await click(page.getByRole('button', { name: 'Create account and sign in' }))
    await click(page.getByRole('button', { name: 'Show recovery codes' }))
    await click(page.getByLabel('I saved these codes'))
    await click(page.getByRole('button', { name: 'Continue' }))
    await click(page.getByRole('link', { name: 'Create a key' }))
    await type('Name', 'My laptop')
    await click(page.getByLabel('Deploy, publish and roll back'))
    await click(page.getByRole('button', { name: 'Create key' }))
    const key = await page.getByLabel('Key', { exact: true }).inputValue()
    const { origin, pathname } = new URL(page.url())
    return { service: origin, projectId: pathname.split('/')[2] ?? '', key }
  } finally {
    await browser.close()
  }
}

type Deployment = Readonly<Record<'service' | 'projectId' | 'key' | 'authority', string>>

function deploy({ service, projectId, key, authority }: Deployment): void {
  const docs = join(folder, 'docs')
  mkdirSync(docs)
  for (const [path, text] of Object.entries(SITE)) writeFileSync(join(docs, path), text)
  counts.commands += 1
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', OCTAVO, 'deploy', docs, '--project', projectId, '--service', service],
    {
      env: { PATH: process.env.PATH ?? '', OCTAVO_API_KEY: key, NODE_EXTRA_CA_CERTS: authority },
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr)
}

function readPage(url: string, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    // Not every system resolves names below `localhost` to this machine.
    const options = {
      ca,
      hostname: '127.0.0.1',
      servername: hostname,
      headers: { host: `${hostname}:${port}` },
    }
    get(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve(text))
    }).once('error', reject)
  })
}

function tell(text: string): void {
  console.log(`${((performance.now() - begun) / 1_000).toFixed(0).padStart(4)} s  ${text}`)
}
