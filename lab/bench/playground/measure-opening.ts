/** Measures what a reader waits for until the playground of a page can be used. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { serveFolder } from '../../../packages/builder/testing/serve-folder.ts'
import { CPU_SLOWDOWN } from '../interaction/watch-interactions.ts'

/** A phone on a mobile network. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }

export type Opening = {
  /** Until something is visible, and until the first field can be filled in. */
  readonly shownMs: number
  readonly usableMs: number
  /** What was loaded until the playground was usable, and until nothing more was loaded. */
  readonly usable: Loaded
  readonly settled: Loaded
}

type Loaded = { readonly requests: number; readonly bytes: number }

/** Returns the path of the page with the playground of an operation. */
export function pageOf(site: string, operation: string): string | undefined {
  const wanted = `data-operation="${operation.replaceAll('&', '&amp;')}"`
  const file = readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((one) => one.endsWith('index.html'))
    .find((one) => readFileSync(join(site, one), 'utf8').includes(wanted))
  return file === undefined ? undefined : `/${dirname(file)}`
}

/** A script that clicks without hovering, as a finger does, and notes the times. */
const CLICK = `new Promise((resolve) => {
  const start = performance.now()
  let shownMs
  const look = () => {
    const box = document.querySelector('dialog.oct-try-dialog[open]')
    if (box && shownMs === undefined) shownMs = performance.now() - start
    if (box?.querySelector('.oct-playground :is(input, select, textarea)'))
      resolve({ shownMs, usableMs: performance.now() - start })
    else requestAnimationFrame(look)
  }
  document.querySelector('[data-oct=try]').click()
  look()
})`

export async function measureOpening(
  browser: Browser,
  site: string,
  path: string,
): Promise<Opening> {
  const { origin, close } = await serveFolder(site, { compresses: true })
  const context = await browser.newContext({ viewport: { width: 412, height: 900 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', LINE)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    const loaded = { requests: 0, bytes: 0 }
    const inline = new Set<string>()
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (request.url.startsWith('data:')) inline.add(requestId)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (inline.has(requestId)) return
      loaded.requests += 1
      loaded.bytes += encodedDataLength
    })
    const times = await page.evaluate<Pick<Opening, 'shownMs' | 'usableMs'>>(CLICK)
    const usable = { ...loaded }
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(3_000)
    return { ...times, usable, settled: { ...loaded } }
  } finally {
    await context.close()
    await close()
  }
}
