/** Checks what a reader downloads until the playground of a large operation can be used. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { ServedSite } from '../../testing/served-site.ts'

/** What a reader may wait for, compressed (decision 0062). */
const BYTES_MAX = 60_000
const REQUESTS_MAX = 2

/** Each schema refers to the next ones, so that the request reaches all 300 of them. */
const PARTS = 300
const words = (seed: number) =>
  Array.from({ length: 14 }, (_, at) => ((seed * 7919 + at * 104_729) % 46_656).toString(36)).join(
    ' ',
  )
const schemas = Object.fromEntries(
  Array.from({ length: PARTS }, (_, at) => [
    `Part${at}`,
    {
      type: 'object',
      description: words(at),
      properties: Object.fromEntries(
        [2 * at + 1, 2 * at + 2, 2 * at + 3].map((other, index) => [
          `field${index}`,
          other < PARTS ? { $ref: `#/components/schemas/Part${other}` } : { type: 'string' },
        ]),
      ),
    },
  ]),
)
const SPECIFICATION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Large', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/parts': {
      post: {
        summary: 'Send it all',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Part0' } } },
        },
        responses: { '200': { description: 'OK' } },
      },
    },
  },
  components: { schemas },
})

describe.skipIf(!HAS_CHROMIUM)('opening a large playground', { timeout: 60_000 }, () => {
  let browser: Browser
  let site: ServedSite

  beforeAll(async () => {
    browser = await launchChromium()
    const navigation = { groups: [{ group: 'API', openapi: 'openapi.json' }] }
    site = await ServedSite.start(
      { 'docs.json': JSON.stringify({ navigation }), 'openapi.json': SPECIFICATION },
      { compresses: true },
    )
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
  })

  test('a playground can be used after two requests and 60 KB', async () => {
    const page = await browser.newPage()
    await page.goto(`${site.origin}/api-reference/send-it-all`, { waitUntil: 'networkidle' })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const loaded: number[] = []
    const inline = new Set<string>()
    session.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (request.url.startsWith('data:')) inline.add(requestId)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!inline.has(requestId)) loaded.push(encodedDataLength)
    })
    // A click from a script does not hover first, like a finger.
    await page.evaluate("document.querySelector('[data-oct=try]').click()")
    await page.locator('.oct-playground :is(input, select, textarea, button)').first().waitFor()
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.length).toBeLessThanOrEqual(REQUESTS_MAX)
    expect(loaded.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(BYTES_MAX)
  })
})
