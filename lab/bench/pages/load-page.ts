/** Opens a page as a first-time visitor on a machine four times slower, and measures its cost. */
import { brotliCompressSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'

export type PageLoad = {
  readonly requests: number
  readonly origins: number
  /** The transferred bytes with headers, but without fonts, which do not block the page. */
  readonly bytes: number
  readonly fontBytes: number
  /** The page and our own files, with fonts, but without images, styles and scripts of the author. */
  readonly ownBytes: number
  readonly ownRequests: number
  /** The bytes of transferred script files, plus those of inline scripts, each compressed. */
  readonly scriptBytes: number
  readonly firstPaintMs: number
  readonly blockingMs: number
  readonly shift: number
  /** Violations of the content security policy and other console messages. */
  readonly complaints: readonly string[]
}

const CPU_SLOWDOWN = 4
const PAGE_TIME_MS_MAX = 30_000
/** The time to wait after the load event. Later long tasks do not count. */
const SETTLE_MS = 500
/** The duration up to which a task does not count as blocking. */
const TASK_MS_FREE = 50

/**
 * A script that runs in the page before all others. It is a string, because `document` has no types
 * here.
 */
const WATCH = `self.seen = { shift: 0, tasks: [] }
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) self.seen.shift += one.value
}).observe({ type: 'layout-shift', buffered: true })
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) self.seen.tasks.push([one.startTime, one.duration])
}).observe({ type: 'longtask', buffered: true })`

const READ = `(() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]
  const scripts = [...document.scripts].filter((one) => !one.src && !/json/.test(one.type))
  return { ...self.seen, paintMs: paint?.startTime ?? NaN, inline: scripts.map((one) => one.text) }
})()`

type Seen = {
  readonly shift: number
  readonly tasks: readonly (readonly [startMs: number, durationMs: number])[]
  readonly paintMs: number
  readonly inline: readonly string[]
}

export async function loadPage(browser: Browser, url: string): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(PAGE_TIME_MS_MAX)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.addInitScript(WATCH)
    const session = await context.newCDPSession(page)
    const traffic = await watchTraffic(session)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.waitForTimeout(SETTLE_MS)
    return { ...summary(traffic, await readSeen(page)), complaints }
  } finally {
    await context.close()
  }
}

type Traffic = { readonly url: string; readonly type: string | undefined; bytes: number }[]

async function watchTraffic(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = []
  const byId = new Map<string, Traffic[number]>()
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (request.url.startsWith('data:')) return
    const one = { url: request.url, type, bytes: 0 }
    traffic.push(one)
    byId.set(requestId, one)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = byId.get(requestId)
    if (one !== undefined) one.bytes = encodedDataLength
  })
  await session.send('Network.enable')
  return traffic
}

function readSeen(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(READ)
}

const OWN_FILE = /^[^/]+\/\/[^/]+\/_octavo\//

function summary(traffic: Traffic, seen: Seen): Omit<PageLoad, 'complaints'> {
  const { shift, tasks, paintMs, inline } = seen
  const inlineBytes = inline.map((code) => brotliCompressSync(code).length)
  const bytesOf = (isWanted: (type: string | undefined) => boolean) =>
    traffic.filter((one) => isWanted(one.type)).map((one) => one.bytes)
  // Tasks before the first paint do not count, because there is no content to interact with.
  const blocking = tasks
    .filter(([startMs, durationMs]) => startMs + durationMs > paintMs)
    .map(([startMs, durationMs]) => durationMs - Math.max(0, paintMs - startMs) - TASK_MS_FREE)
  const isOwn = ({ url, type }: Traffic[number]) => type === 'Document' || OWN_FILE.test(url)
  const own = traffic.filter(isOwn)
  return {
    ownBytes: sum(own.map(({ bytes }) => bytes)),
    ownRequests: own.length,
    requests: traffic.length,
    origins: new Set(traffic.map(({ url }) => new URL(url).origin)).size,
    bytes: sum(bytesOf((type) => type !== 'Font')),
    fontBytes: sum(bytesOf((type) => type === 'Font')),
    scriptBytes: sum([...bytesOf((type) => type === 'Script'), ...inlineBytes]),
    firstPaintMs: paintMs,
    blockingMs: sum(blocking.map((ms) => Math.max(0, ms))),
    shift,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
