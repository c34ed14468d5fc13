/**
 * Types queries into the search dialog of a built site, letter by letter, as a first-time visitor.
 */
import type { Browser, CDPSession } from 'playwright-core'
import { launchChromium } from '../../../packages/builder/testing/chromium.ts'
import { serveFolder } from '../../../packages/builder/testing/serve-folder.ts'

export type TypedQuery = {
  readonly text: string
  /**
   * The bytes of the loaded search files, without headers, which depend on the host and are
   * compressed by HTTP/2.
   */
  readonly bytes: number
  readonly files: number
  /** The time from the last letter until the results for the whole query are shown. */
  readonly answerMs: number
}

/** The time to wait for files after the results are shown. No file is loaded later. */
const SETTLE_MS = 1_500

export type Typing = {
  /** The page on which the dialog is opened. */
  readonly path: string
  readonly texts: readonly string[]
  readonly letterMs: number
}

export async function typeQueries(
  site: string,
  { path, texts, letterMs }: Typing,
): Promise<readonly TypedQuery[]> {
  const served = await serveFolder(site)
  const browser = await launchChromium()
  try {
    const url = served.origin + path
    const typed: TypedQuery[] = []
    for (const text of texts) typed.push(await typeQuery(browser, { url, text, letterMs }))
    return typed
  } finally {
    await browser.close()
    await served.close()
  }
}

type Visit = { readonly url: string; readonly text: string; readonly letterMs: number }

async function typeQuery(browser: Browser, { url, text, letterMs }: Visit): Promise<TypedQuery> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    const traffic = await watchSearchFiles(await context.newCDPSession(page))
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open] input:focus').waitFor()
    for (const letter of text) {
      await page.waitForTimeout(letterMs)
      await page.keyboard.type(letter)
    }
    const typedAt = performance.now()
    // The list of results names the query that it belongs to.
    await page.locator(`#oct-found-list[data-query=${JSON.stringify(text)}]`).waitFor()
    const answerMs = performance.now() - typedAt
    await page.waitForTimeout(SETTLE_MS)
    return { text, ...traffic, answerMs }
  } finally {
    await context.close()
  }
}

async function watchSearchFiles(session: CDPSession): Promise<{ bytes: number; files: number }> {
  const traffic = { bytes: 0, files: 0 }
  const requests = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.includes('/_octavo/search')) return
    requests.add(requestId)
    traffic.files += 1
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (requests.has(requestId)) traffic.bytes += encodedDataLength
  })
  await session.send('Network.enable')
  return traffic
}
