/**
 * Acts as the owner of a project, with a browser, a terminal, and folders of real documentation.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { CHILD_ENVIRONMENT } from '../../builder/testing/child-environment.ts'
import { visit } from './test-deployment.ts'

const OCTAVO = join(import.meta.dirname, '../../cli/src/main.ts')

/**
 * Unpacks sites of the corpus into a folder. Returns the folder, which contains one folder per
 * site.
 */
export function unpackSites(corpus: string, folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true })
  execFileSync('bash', [join(corpus, 'unpack.sh'), folder, ...names])
  return join(folder, 'sites')
}

/** Reads all files in a folder, in the form in which tests commit files. */
export function readFiles(folder: string): Readonly<Record<string, Buffer>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file)]),
  )
}

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string }

/**
 * Returns a function that runs `octavo` in a child process, with its settings in the folder `home`.
 */
export function openTerminal(home: string, cwd: string) {
  return (
    args: readonly string[],
    more: {
      readonly env?: Readonly<Record<string, string>>
      readonly onOutput?: (all: string) => void
    } = {},
  ): Promise<Ran> =>
    new Promise((resolve) => {
      const env = { ...CHILD_ENVIRONMENT, NO_COLOR: '1', XDG_CONFIG_HOME: home, ...more.env }
      const child = spawn(process.execPath, ['--no-warnings', OCTAVO, ...args], { cwd, env })
      let [out, err] = ['', '']
      child.stdin.end()
      child.stdout.on('data', (text) => {
        out += text
        more.onOutput?.(out)
      })
      child.stderr.on('data', (text) => {
        err += text
      })
      child.on('close', (code) => resolve({ code, out, err }))
    })
}

export type Desk = {
  readonly page: Page
  readonly main: Locator
  /** Clicks the first button with this name. */
  readonly press: (name: string | RegExp) => Promise<void>
  readonly type: (label: string, text: string) => Promise<void>
  /** Opens a page of the dashboard by its path, and returns its text. */
  readonly read: (path: string) => Promise<string>
  readonly text: () => Promise<string>
  /** Script errors, and errors that the browser logged. */
  readonly faults: readonly string[]
}

/** Opens a browser window for a person. `url` is the origin of the service. */
export async function openDesk(browser: Browser, url: string): Promise<Desk> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  const main = page.getByRole('main')
  const text = async () => (await main.innerText()).replaceAll(/\s+/g, ' ')
  return {
    page,
    main,
    faults,
    text,
    press: (name) => main.getByRole('button', { name }).first().click(),
    type: (label, value) => page.getByLabel(label, { exact: true }).fill(value),
    async read(path) {
      await page.goto(url + path)
      return text()
    },
  }
}

/** Saves recovery codes. A new account must do so before it can open other pages. */
export async function keepAccess({ page, press }: Desk): Promise<void> {
  await press('Show recovery codes')
  await page.getByLabel('I saved these codes').check()
  await press('Continue')
}

export type ServiceRequests = ReturnType<typeof openRequests>

/** Returns functions that call the API with a key and request sites as readers and agents do. */
export function openRequests(url: string, adminKey: string) {
  const port = Number(new URL(url).port)
  return {
    /** Calls the API with JSON, or with NDJSON if the body is a string. */
    async call(method: string, path: string, body: object | string) {
      const isLines = typeof body === 'string'
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${adminKey}`,
          'content-type': isLines ? 'application/x-ndjson' : 'application/json',
        },
        body: isLines ? body : JSON.stringify(body),
      })
      const reply = (await response.json()) as { param?: string; detail?: string }
      return { status: response.status, body: reply }
    },
    /** Requests a path of a site, which is given by its short name or its host. */
    async readSite(name: string, path: string, headers: Record<string, string> = {}) {
      const host = name.includes('.') ? name : `${name.toLowerCase()}.sites.localhost`
      const { status, bytes } = await visit(port, host, path, { headers })
      return { status, text: bytes.toString() }
    },
    /** Calls an MCP tool of a site, and returns the text of the result. */
    async callTool(site: string, name: string, args: object): Promise<string> {
      const params = { name, arguments: args }
      const { bytes } = await visit(port, `${site}.sites.localhost`, '/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      const text = bytes.toString()
      const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
      return JSON.parse(json).result.content[0].text
    },
  }
}
