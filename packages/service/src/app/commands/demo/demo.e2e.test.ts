/** Starts the demo as a user would, and opens the URLs that it prints in Chromium. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHILD_ENVIRONMENT } from '../../../../../builder/testing/child-environment.ts'

const MAIN = join(import.meta.dirname, '../../../main.ts')
const WAIT = { timeout: 30_000 }
const ANY_PORT = 0

type Demo = {
  readonly child: ChildProcess
  readonly folder: string
  readonly out: readonly string[]
  readonly errors: readonly string[]
}
type Served = { readonly url: string; readonly signInUrl: string; readonly siteUrl: string }

const children = new Set<ChildProcess>()
let temporary: string
let browser: Browser

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), 'demo-test-'))
  // If started by root, PostgreSQL runs as another user.
  chmodSync(temporary, 0o755)
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  children.clear()
})
afterAll(async () => {
  await browser.close()
  rmSync(temporary, { recursive: true, force: true })
})

const foldersOf = () => readdirSync(temporary).filter((name) => name.startsWith('octavo-demo-'))

/**
 * Returns the processes whose command line names a demo's folder: PostgreSQL, and programs that its
 * worker starts.
 */
function processesOf(name: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name)
    } catch {
      return false
    }
  })
}

function startProgram(...args: readonly string[]): Demo {
  const child = spawn(process.execPath, [MAIN, 'demo', ...args], {
    env: { ...CHILD_ENVIRONMENT, HOME: temporary, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const out: string[] = []
  const errors: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => out.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  return { child, folder: temporary, out, errors }
}

async function served({ child, out, errors }: Demo): Promise<Served> {
  await expect
    .poll(() => out.length > 0 || child.exitCode !== null, { timeout: 120_000 })
    .toBe(true)
  const [line] = out
  if (line === undefined) throw new Error(errors.join('\n'))
  return JSON.parse(line)
}

async function freePort(): Promise<string> {
  const server = createServer().listen(ANY_PORT, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return String(typeof address === 'object' ? address?.port : 0)
}

async function end({ child }: Demo, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}

/** Opens a browser page with its own virtual authenticator. */
async function openDevice(): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

test("a user signs in, adds a passkey, signs in with it, and asks the site's assistant", async () => {
  const demo = startProgram('--no-open', '--json', '--port', await freePort())
  const { url, signInUrl, siteUrl } = await served(demo)
  const [folder = ''] = foldersOf()
  expect(processesOf(folder).length).toBeGreaterThan(0)
  const page = await openDevice()

  // Sign in with the printed link.
  await page.goto(signInUrl)
  await page.click('button')
  await page.waitForURL(`${url}/`, WAIT)
  await page.click('a[href^="/projects/prj_"]')
  await page.waitForSelector('text=Explain webhook signatures and retries', WAIT)
  const project = new URL(page.url()).pathname
  const seen = async (path: string) => {
    await page.goto(`${url}${project}/${path}`)
    return (await page.textContent('main')) ?? ''
  }
  expect(await seen('conversations')).toContain('Unanswered')
  const gaps = await seen('gaps')
  expect(gaps).toContain('Likely closed')
  expect(gaps).toContain('pay by invoice')
  expect(await seen('analytics')).toContain('www.google.com')
  expect(await seen('feedback')).toContain('An example in Python would help me a lot.')

  // Add a passkey and sign in with it.
  await page.goto(`${url}/account`)
  await page.fill('[data-passkey-register] [name=name]', 'Laptop')
  await page.click('[data-passkey-register] button')
  await page.waitForSelector('td:has-text("Laptop"), li:has-text("Laptop")', WAIT)
  await page.click('details.menu.end > summary')
  await page.click('form[action="/sign-out"] button')
  await page.goto(`${url}${project}`)
  await page.waitForSelector('[data-passkey]', WAIT)
  await page.click('[data-passkey]')
  await page.waitForURL(`${url}${project}`, WAIT)

  // Ask the assistant on the site.
  await page.goto(siteUrl)
  expect(await page.textContent('h1')).toContain('Welcome to Wrenpost')
  await page.click('.oct-ask')
  const panel = page.locator('octavo-assistant')
  await panel.locator('textarea').fill('How do I verify the signature of a webhook?')
  await panel.locator('textarea').press('Enter')
  await panel.locator('.rate').waitFor(WAIT)
  await panel.getByText('Wrenpost-Signature').first().waitFor(WAIT)
  await page.context().close()

  expect(await end(demo, 'SIGTERM')).toBe(0)
  expect(demo.out).toHaveLength(1)
  // Ignore Node's warnings about algorithms that the passkey library tries.
  expect(demo.errors.filter((line) => line.startsWith('octavo-service'))).toEqual([])
  expect(foldersOf()).toEqual([])
  expect(processesOf(folder)).toEqual([])
})

describe('cleanup after a demo', () => {
  test('a demo that is stopped while it starts leaves no files or processes', async () => {
    const demo = startProgram('--no-open')
    await expect.poll(() => foldersOf().length, { timeout: 60_000 }).toBe(1)
    const [folder = ''] = foldersOf()
    await expect
      .poll(() => existsSync(join(temporary, folder, 'database/data')), { timeout: 60_000 })
      .toBe(true)
    expect(await end(demo, 'SIGINT')).toBe(0)
    expect(foldersOf()).toEqual([])
    expect(processesOf(folder)).toEqual([])
  })

  test('a demo that is stopped with Ctrl-C twice leaves no files or processes', async () => {
    const demo = startProgram('--no-open', '--json', '--port', await freePort())
    await served(demo)
    const [folder = ''] = foldersOf()
    demo.child.kill('SIGINT')
    await end(demo, 'SIGINT')
    await expect.poll(() => processesOf(folder)).toEqual([])
    expect(foldersOf()).toEqual([])
  })

  test('the next demo cleans up after a killed one', async () => {
    const killed = startProgram('--no-open', '--json', '--port', await freePort())
    await served(killed)
    const [folder = ''] = foldersOf()
    await end(killed, 'SIGKILL')
    expect(foldersOf()).toEqual([folder])
    const next = startProgram('--no-open', '--json', '--port', await freePort())
    await served(next)
    expect(foldersOf()).not.toContain(folder)
    expect(processesOf(folder)).toEqual([])
    await end(next, 'SIGTERM')
    expect(foldersOf()).toEqual([])
  })
})

describe('demo start errors', () => {
  test('the demo reports that its port is in use', async () => {
    const server = createServer().listen(ANY_PORT, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const demo = startProgram('--json', '--port', `${port}`)
    const [code] = await once(demo.child, 'exit')
    server.close()
    expect(code).toBe(1)
    expect(demo.errors.join('\n')).toBe(
      `octavo-service: Port ${port} is in use. Choose another one with --port.`,
    )
    expect(demo.out).toEqual([])
    expect(foldersOf()).toEqual([])
  })

  test('the demo reports an invalid option', async () => {
    const demo = startProgram('--port', 'http')
    const [code] = await once(demo.child, 'exit')
    expect(code).toBe(2)
    expect(demo.errors[0]).toBe(
      'octavo-service: Invalid --port: expected a number from 1 to 65535.',
    )
  })

  test('the demo has no option to listen on other interfaces', async () => {
    const demo = startProgram('--host', '0.0.0.0')
    const [code] = await once(demo.child, 'exit')
    expect(code).toBe(2)
    expect(demo.errors[0]).toContain("Unknown option '--host'")
  })
})
