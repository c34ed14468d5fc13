/** Measures one development server from its start to its last edit. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Browser, Page } from 'playwright-core'

export type DevTool = {
  readonly name: string
  readonly command: (port: number) => readonly string[]
  readonly cwd: string
  /** The page that is opened and edited. */
  readonly path: string
  readonly file: string
}

const START_MS_MAX = 180_000
const EDIT_MS_MAX = 20_000

export async function measureTool(
  browser: Browser,
  tool: DevTool,
  { edits, lastPath }: { readonly edits: number; readonly lastPath?: string },
): Promise<void> {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const [program = '', ...args] = tool.command(port)
  const original = readFileSync(tool.file)
  // Playwright evaluates scripts with `eval`, which our content security policy blocks.
  const page = await browser.newPage({ bypassCSP: true })
  const started = Date.now()
  // The tool gets its own process group, because some tools start other processes.
  const server = spawn(program, args, { cwd: tool.cwd, stdio: 'ignore', detached: true })
  try {
    await untilOpen(port)
    const painted = (await firstPaint(page, `http://127.0.0.1:${port}${tool.path}`)) - started
    await page.waitForTimeout(1_500)
    const times: number[] = []
    for (let edit = 1; edit <= edits; edit += 1) times.push(await editOnce(page, tool.file, edit))
    // The response to this request arrives only after the tool's background work.
    if (lastPath !== undefined) await waitForFullResponse(`http://127.0.0.1:${port}${lastPath}`)
    const cells = times.length === 0 ? '' : `${median(times)} ms, ${Math.max(...times)} ms`
    console.log(`${tool.name.padEnd(30)}${`${painted} ms`.padEnd(17)}${cells}`)
  } finally {
    await page.close()
    writeFileSync(tool.file, original)
    if (server.pid !== undefined && server.exitCode === null) {
      process.kill(-server.pid, 'SIGTERM')
      await once(server, 'exit')
    }
  }
}

async function untilOpen(port: number): Promise<void> {
  const started = Date.now()
  while (Date.now() - started < START_MS_MAX) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('The server did not start.')
}

/**
 * Requests a page without a time limit. `fetch` cannot be used, because it has a time limit of five
 * minutes.
 */
async function waitForFullResponse(url: string): Promise<void> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
}

/** Returns the time when the page's text was first on screen. */
async function firstPaint(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit', timeout: START_MS_MAX })
  const handle = await page.waitForFunction(PAINTED, undefined, {
    timeout: START_MS_MAX,
    polling: 20,
  })
  return Math.round(Number(await handle.jsonValue()))
}

const PAINTED = `(() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  return paint && document.querySelector('h1')?.textContent && performance.timeOrigin + paint.startTime
})()`

async function editOnce(page: Page, file: string, edit: number): Promise<number> {
  const text = `The text of edit ${edit} at ${Date.now()}.`
  const has = `document.querySelector('main')?.textContent.includes(${JSON.stringify(text)})`
  const seen = page.waitForFunction(`${has} && performance.timeOrigin + performance.now()`, null, {
    timeout: EDIT_MS_MAX,
    polling: 'raf',
  })
  // The wait must start before the save.
  await page.waitForTimeout(300)
  const saved = performance.timeOrigin + performance.now()
  appendFileSync(file, `\n${text}\n`)
  return Math.round(Number(await (await seen).jsonValue()) - saved)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
