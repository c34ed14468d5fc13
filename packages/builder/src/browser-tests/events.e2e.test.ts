/**
 * Checks in a browser which usage events and which feedback a page sends to its host, and what it
 * never sends.
 */
import type { CodeFeedback, PageFeedback } from '@octavo/model'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { type CountingHost, createCountingHost } from '../../testing/counting-host.ts'
import { feedbackSite } from '../../testing/feedback-site.ts'
import { findFaults } from '../../testing/find-faults.ts'
import { ServedSite } from '../../testing/served-site.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'
import { TestServer } from '../../testing/test-server.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
/**
 * Long enough for an unwanted event to arrive, since a query is counted after two seconds at the
 * latest.
 */
const SILENCE_MS = 3_000

describe.skipIf(!HAS_CHROMIUM)('events that pages send to their host', { timeout: 60_000 }, () => {
  let browser: Browser
  let api: TestServer
  let host: CountingHost
  let asking: ServedSite
  let silent: ServedSite
  let elsewhere: ServedSite
  const failures: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
    api = await TestServer.start((request, response) => {
      const status = Number(request.url?.slice('/status/'.length))
      response.setHeader('access-control-allow-origin', '*')
      if (status === 0) request.socket.destroy()
      else response.writeHead(status, { 'content-type': 'text/plain' }).end('secret-response')
    })
    const specification = {
      openapi: '3.1.0',
      info: { title: 'Status', version: '1' },
      servers: [{ url: api.origin }],
      paths: {
        '/status/{code}': {
          get: {
            summary: 'Get a status',
            parameters: [{ name: 'code', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 200: { description: 'It.' } },
          },
        },
      },
    }
    host = await createCountingHost()
    const both = feedbackSite({ thumbsRating: true, codeSnippet: true })
    asking = await ServedSite.start(both, { answer: host.answer })
    const plain = feedbackSite({})
    const withApi = plain['docs.json']?.replace('"soil"', '"soil","status"') ?? ''
    silent = await ServedSite.start(
      {
        ...plain,
        'docs.json': withApi,
        'openapi.json': JSON.stringify(specification),
        'status.mdx': '---\nopenapi: GET /status/{code}\n---\n',
      },
      { answer: host.answer },
    )
    elsewhere = await ServedSite.start(both)
  }, 120_000)
  beforeEach(() => {
    host.received.length = 0
    host.requests.length = 0
    host.reply(204)
  })
  afterEach(async () => {
    await closePages(browser)
    expect(failures).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([asking, silent, elsewhere, api].map((one) => one?.[Symbol.asyncDispose]()))
  })

  type Visit = BrowserContextOptions & { readonly asks?: 'dnt' | 'gpc' }

  async function visit(site: { readonly origin: string }, path: string, options: Visit = {}) {
    const { asks, ...rest } = options
    const context = await browser.newContext({ reducedMotion: 'reduce', ...rest })
    const name = asks === 'dnt' ? 'doNotTrack' : 'globalPrivacyControl'
    const value = asks === 'dnt' ? "'1'" : 'true'
    if (asks !== undefined)
      await context.addInitScript(
        `Object.defineProperty(navigator, '${name}', { value: ${value} })`,
      )
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => failures.push(message))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) failures.push(message.text())
    })
    await page.goto(site.origin + path, { waitUntil: 'networkidle' })
    return page
  }

  async function search(page: Page, query: string) {
    await page.keyboard.press('Control+k')
    await page.locator('dialog input:focus').waitFor()
    await page.keyboard.type(query, { delay: 60 })
  }

  const found = (page: Page) => page.locator('a[role=option]').first().waitFor()
  const received = () => expect.poll(() => host.received, { timeout: 10_000 })
  const rest = (page: Page) => page.waitForTimeout(SILENCE_MS)

  describe('search events', () => {
    test('a query and the opened result are sent even though the reader leaves the page', async () => {
      const page = await visit(silent, '/')
      await search(page, 'compost')
      await found(page)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/soil')
      await received().toEqual([
        { type: 'search', query: 'compost', results: expect.any(Number) },
        { type: 'search-click', query: 'compost', path: '/soil' },
      ])
      expect(host.received[0]).toHaveProperty('results', 1)
      expect(host.requests[0]?.type).toBe('application/json')
    })

    test('a query without results is sent only once, when the reader pauses or leaves', async () => {
      const page = await visit(silent, '/')
      await search(page, 'zebra')
      await received().toEqual([{ type: 'search', query: 'zebra', results: 0 }])
      await page.keyboard.press('Escape')
      await search(page, '')
      await page.keyboard.press('Escape')
      await rest(page)
      expect(host.received).toHaveLength(1)
    })

    test('only the final query is sent, not its prefixes', async () => {
      const page = await visit(silent, '/')
      await search(page, 'wa')
      await found(page)
      await page.keyboard.type('ter', { delay: 60 })
      await found(page)
      await page.waitForTimeout(500)
      await page.keyboard.press('Escape')
      await received().toEqual([{ type: 'search', query: 'water', results: expect.any(Number) }])
    })

    test.each(['dnt', 'gpc'] as const)(
      'no event is sent if the reader opts out of tracking (%s)',
      async (asks) => {
        const page = await visit(silent, '/', { asks })
        await search(page, 'compost')
        await found(page)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/soil')
        await sendStatus(await visit(silent, '/status', { asks }), '200')
        await rest(page)
        expect(host.received).toEqual([])
      },
    )
  })

  async function sendStatus(page: Page, code: string) {
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('.oct-playground').waitFor()
    await page.getByRole('textbox', { name: 'code' }).fill(code)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.oct-try-status:not(:empty), .oct-try-problem').waitFor()
  }

  test.each([
    ['200', 'success'],
    ['404', 'client-error'],
    ['503', 'server-error'],
    ['0', 'failed'],
  ])('a playground request with status %s is reported only as %s', async (code, outcome) => {
    await sendStatus(await visit(silent, '/status'), code)
    await received().toEqual([{ type: 'playground', path: '/status', outcome }])
  })

  describe('page feedback', () => {
    const ask = (page: Page) => page.getByRole('group', { name: 'Was this page helpful?' })

    test('a vote is sent at once, and its comment follows with the same key', async () => {
      const page = await visit(asking, '/soil')
      await ask(page).getByRole('button', { name: 'Yes' }).click()
      await received().toHaveLength(1)
      const [first] = host.received as readonly PageFeedback[]
      const feedback = { type: 'feedback', key: first?.key, path: '/soil', helpful: true }
      expect(first).toEqual(feedback)
      expect(first?.key).toMatch(UUID)
      await page.getByLabel('What did you like?').fill('The tomatoes.')
      await page.getByLabel('Email address').fill('ann@example.com')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Thank you for your feedback.').waitFor()
      const why = { comment: 'The tomatoes.', contact: 'ann@example.com' }
      expect(host.received).toEqual([feedback, { ...feedback, ...why }])
      expect(await ask(page).count()).toBe(0)
    })

    test('a changed vote replaces the first one, but a repeated click sends nothing', async () => {
      const page = await visit(asking, '/soil')
      const yes = ask(page).getByRole('button', { name: 'Yes' })
      await yes.click()
      await yes.click()
      await ask(page).getByRole('button', { name: 'No' }).click()
      await received().toHaveLength(2)
      const [first, second] = host.received as readonly PageFeedback[]
      expect(second).toEqual({ ...first, helpful: false })
      expect(await yes.getAttribute('aria-pressed')).toBe('false')
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await page.locator('.oct-feedback form').isVisible()).toBe(false)
    })

    test('feedback is sent even if the reader opts out of tracking', async () => {
      const page = await visit(asking, '/soil', { asks: 'gpc' })
      await ask(page).getByRole('button', { name: 'No' }).click()
      await received().toHaveLength(1)
    })

    test('a failed submission is reported to the reader and the comment is kept', async () => {
      host.reply(429)
      const page = await visit(asking, '/soil')
      await ask(page).getByRole('button', { name: 'No' }).click()
      await page.getByText('Your feedback could not be sent.').waitFor()
      await page.getByLabel('What could be better?').fill('More pictures.')
      await page.getByRole('button', { name: 'Send' }).click()
      await received().toHaveLength(2)
      host.reply(204)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Thank you for your feedback.').waitFor()
    })

    test('an invalid email address is not sent', async () => {
      const page = await visit(asking, '/soil')
      await ask(page).getByRole('button', { name: 'No' }).click()
      await received().toHaveLength(1)
      await page.getByLabel('Email address').fill('ann')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.locator('input:invalid:focus').waitFor()
      expect(host.received).toHaveLength(1)
    })

    test('a comment is shortened to the request limit in bytes', async () => {
      const page = await visit(asking, '/soil')
      await ask(page).getByRole('button', { name: 'No' }).click()
      await page.getByLabel('What could be better?').fill('説'.repeat(1_000))
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Thank you for your feedback.').waitFor()
      expect((host.received[1] as PageFeedback).comment?.length).toBeGreaterThan(400)
      expect(host.requests[1]?.bytes).toBeLessThanOrEqual(2_048)
    })
  })

  describe('code feedback', () => {
    const report = (page: Page, index: number) =>
      page.getByRole('button', { name: 'Report a problem with this code' }).nth(index)

    test.each([
      [0, { code: 'const one = 1\nconst two = 2', filename: 'Example', lang: 'JavaScript' }],
      [1, { code: 'npm install octavo', lang: 'Bash' }],
      [2, { code: 'npm run build', filename: 'npm', lang: 'Bash' }],
    ])(
      "code feedback contains the code block and the reader's comment (block %i)",
      async (index, block) => {
        const page = await visit(asking, '/water')
        await report(page, index).click()
        const dialog = page.getByRole('dialog', { name: 'Report a problem with this code' })
        await dialog.getByLabel('What could be better?').fill('It fails.')
        await dialog.getByRole('button', { name: 'Send' }).click()
        await dialog.getByText('Thank you for your feedback.').waitFor()
        const [feedback] = host.received as readonly CodeFeedback[]
        expect(feedback?.key).toMatch(UUID)
        const about = { type: 'code-feedback', key: feedback?.key, path: '/water', ...block }
        expect(host.received).toEqual([{ ...about, comment: 'It fails.' }])
        await page.keyboard.press('Escape')
        expect(await report(page, index).evaluate((button) => button.matches(':focus'))).toBe(true)
      },
    )

    test('no feedback is sent if the reader closes the dialog', async () => {
      const page = await visit(asking, '/water')
      await report(page, 0).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.locator('dialog').waitFor({ state: 'detached' })
      expect(host.received).toEqual([])
    })
  })

  test('feedback can be sent using only the keyboard', async () => {
    const page = await visit(asking, '/soil')
    await page.locator('.oct-neighbours a').first().focus()
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('No')
    await page.keyboard.press('Space')
    await page.keyboard.type('It is short.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('.oct-feedback [role=status]:focus').waitFor()
    expect(host.received.at(-1)).toMatchObject({ helpful: false, comment: 'It is short.' })
  })

  test('page paths in events do not include the base path', async () => {
    const below = await createCountingHost('/docs')
    await using site = await ServedSite.start(
      feedbackSite({ thumbs: true }),
      { answer: below.answer },
      { siteUrl: 'https://example.com/docs/' },
    )
    const page = await visit(site, '/docs/water')
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect.poll(() => below.received).toMatchObject([{ type: 'feedback', path: '/water' }])
    // This site does not enable feedback about code.
    expect(await page.locator('.oct-report').count()).toBe(0)
    await search(page, 'compost')
    await found(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/soil')
    await expect.poll(() => below.received.at(-1)).toMatchObject({ path: '/soil' })
    // Close the page before its host stops.
    await page.context().close()
  })

  describe('sites without feedback', () => {
    test('a site that disables feedback shows no form and loads no script for it', async () => {
      const page = await visit(silent, '/water')
      expect(await page.locator('.oct-feedback, .oct-report').count()).toBe(0)
      expect(await page.content()).not.toContain('data-feedback')
    })

    test('pages show no form and send no events on a host that does not count them', async () => {
      const page = await visit(elsewhere, '/water')
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() !== 'GET') sent.push(request.url())
      })
      expect(await page.content()).toContain('data-feedback="page code"')
      expect(await page.locator('.oct-feedback, .oct-report').count()).toBe(0)
      await search(page, 'zebra')
      await rest(page)
      expect(sent).toEqual([])
    })

    test('pages are rebuilt when docs.json enables feedback', async () => {
      using site = new TemporarySite(feedbackSite({}))
      await site.build()
      expect(site.read('soil/index.html')).not.toContain('data-feedback')
      site.write(feedbackSite({ codeSnippet: true }))
      await site.build()
      expect(site.read('soil/index.html')).toContain('<main id="content" data-feedback="code">')
    })

    test('the not-found page does not ask for feedback', async () => {
      const page = await visit(asking, '/nowhere')
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.locator('.oct-feedback').count()).toBe(0)
    })
  })

  const looks: readonly (readonly [string, string, BrowserContextOptions])[] = [
    ['light', '/water', {}],
    ['dark', '/water', { colorScheme: 'dark' }],
    ['on a phone', '/water', PHONE],
    ['from right to left', '/ar/water', {}],
    ['from right to left on a phone', '/ar/water', { ...PHONE, colorScheme: 'dark' }],
  ]
  test.each(looks)(
    'feedback forms have no accessibility problems: %s',
    async (_, path, options) => {
      const page = await visit(asking, path, options)
      expect(await findFaults(page)).toEqual([])
      await page.locator('.oct-feedback-yes').click()
      await received().toHaveLength(1)
      expect(await findFaults(page)).toEqual([])
      await page.locator('.oct-report').first().click()
      await page.locator('dialog textarea').waitFor()
      expect(await findFaults(page)).toEqual([])
      await page.locator('dialog .oct-feedback-send').click()
      await page.locator('dialog > button').waitFor()
      expect(await findFaults(page)).toEqual([])
    },
  )
})
