/**
 * Checks `integrations` of docs.json in a browser. The built page has its content security policy.
 * A mock replaces each tool: it reads the documented settings and reports to the tool's host.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { TOOL_CASES } from '../../testing/integration-cases.ts'
import { ServedSite } from '../../testing/served-site.ts'

const ALL_TOOLS = Object.fromEntries(
  Object.entries(TOOL_CASES).map(([name, { settings }]) => [name, settings]),
)
const SCRIPTS = Object.values(TOOL_CASES).map(({ script }) => script)
const REPORTS = Object.values(TOOL_CASES).map(({ report }) => report)

const ONETRUST_ID = '01234567-89ab-cdef-0123-456789abcdef'

/**
 * Mocks of consent managers. Calling `window.answer` has the effect of a click in the consent
 * banner.
 */
const MANAGERS = {
  onetrust: {
    settings: { domainScript: ONETRUST_ID },
    script: 'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js',
    code: `if (document.currentScript.dataset.domainScript === '${ONETRUST_ID}') window.asksFor = 'C0002'
      window.answer = (group) => {
        window.OnetrustActiveGroups = ',C0001,' + group + ','
        dispatchEvent(new CustomEvent('OneTrustGroupsUpdated'))
        window.OptanonWrapper?.()
      }
      window.answer('')`,
  },
  transcend: {
    settings: { bundleId: ONETRUST_ID, analyticsPurpose: 'Statistics of "use"' },
    script: `https://transcend-cdn.com/cm/${ONETRUST_ID}/airgap.js`,
    code: `window.asksFor = 'Statistics of "use"'
      const purposes = { [window.asksFor]: 'Auto' }
      const { readyQueue } = window.airgap
      window.airgap = Object.assign(new EventTarget(), {
        ready: (callback) => callback(window.airgap),
        getConsent: () => ({ purposes }),
      })
      for (const callback of readyQueue) callback(window.airgap)
      window.answer = (purpose) => {
        purposes[purpose] = true
        window.airgap.dispatchEvent(new Event('consent-change'))
      }`,
  },
}

/**
 * Returns a mock of a tool. It first checks for calls that the author's script made before the tool
 * loaded.
 */
function mockToolScript({
  found,
  code,
}: {
  readonly found: string
  readonly code: string
}): string {
  return `try { window.found = ${found} } catch { window.found = false }
    ${code}`
}

const PAGE = '---\ntitle: Start\n---\n\nText.\n'

function site(more: object): Record<string, string> {
  const config = { name: 'Garden', navigation: { pages: ['index'] }, ...more }
  return { 'docs.json': JSON.stringify(config), 'index.mdx': PAGE }
}

describe.skipIf(!HAS_CHROMIUM)(
  `integrations (skipped if there is no ${CHROMIUM})`,
  { timeout: 60_000 },
  () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launchChromium()
    })
    afterEach(() => closePages(browser))
    afterAll(() => browser?.close())

    type Opened = {
      readonly page: Page
      readonly asked: readonly string[]
      readonly blocked: readonly string[]
    }

    /** Opens the page. Requests to other hosts are recorded, and mocks respond to them. */
    async function open(
      served: ServedSite,
      {
        prepare = async () => undefined,
        managers = {},
      }: {
        readonly prepare?: (context: BrowserContext) => Promise<unknown>
        /** Scripts of consent managers, by URL. */
        readonly managers?: Readonly<Record<string, string>>
      } = {},
    ): Promise<Opened> {
      const asked: string[] = []
      const blocked: string[] = []
      const context = await browser.newContext()
      await prepare(context)
      await context.route(
        (url) => url.origin !== served.origin,
        async (route) => {
          const url = route.request().url()
          asked.push(url)
          const tool = Object.values(TOOL_CASES).find(({ script }) => script === url)
          const body = tool === undefined ? (managers[url] ?? '') : mockToolScript(tool)
          await route.fulfill({
            contentType: 'text/javascript',
            headers: { 'access-control-allow-origin': '*' },
            body,
          })
        },
      )
      const page = await context.newPage()
      await page.exposeFunction('tellBlocked', (text: string) => blocked.push(text))
      await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
        window.tellBlocked(event.violatedDirective + ' ' + event.blockedURI))`)
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) blocked.push(message.text())
      })
      await page.goto(served.origin)
      return { page, asked, blocked }
    }

    async function until(isDone: () => boolean): Promise<void> {
      await expect.poll(isDone, { timeout: 10_000 }).toBe(true)
    }

    test.each(Object.entries(TOOL_CASES))(
      '%s is loaded once, finds the earlier calls of author scripts, and sends a report',
      async (name, tool) => {
        await using served = await ServedSite.start({
          ...site({ integrations: { [name]: tool.settings } }),
          'early.js': tool.early,
        })
        const { page, asked, blocked } = await open(served)
        await until(() => asked.includes(tool.report))
        expect(await page.evaluate('window.found')).toBe(true)
        expect(asked.toSorted()).toEqual([tool.script, tool.report].toSorted())
        expect(blocked).toEqual([])
      },
    )

    test("every tool waits for the reader's consent and is then loaded only once", async () => {
      const cookies = { key: 'consent', value: 'yes' }
      await using served = await ServedSite.start({
        ...site({ integrations: { ...ALL_TOOLS, cookies } }),
        'consent.js': `const button = document.createElement('button')
          button.textContent = 'I agree'
          button.onclick = () => localStorage.setItem('consent', 'yes')
          document.querySelector('main').prepend(button)`,
      })
      const { page, asked, blocked } = await open(served)
      await page.waitForTimeout(2_500)
      expect(asked).toEqual([])
      await page.getByRole('button', { name: 'I agree' }).click()
      await until(() => REPORTS.every((url) => asked.includes(url)))
      await page.getByRole('button', { name: 'I agree' }).click()
      await page.waitForTimeout(500)
      expect(asked.toSorted()).toEqual([...SCRIPTS, ...REPORTS].toSorted())
      await page.reload()
      await until(() => asked.length === 2 * (SCRIPTS.length + REPORTS.length))
      expect(blocked).toEqual([])
    })

    describe('consent managers', () => {
      test.each(Object.entries(MANAGERS))(
        'no tool is loaded before %s reports consent',
        async (name, manager) => {
          const integrations = { ...ALL_TOOLS, [name]: manager.settings }
          await using served = await ServedSite.start(site({ integrations }))
          const managers = { [manager.script]: manager.code }
          const { page, asked, blocked } = await open(served, { managers })
          await until(() => asked.length > 0)
          await page.waitForTimeout(2_500)
          await page.evaluate("window.answer('something else')")
          await page.waitForTimeout(500)
          expect(asked).toEqual([manager.script])
          await page.evaluate('window.answer(window.asksFor)')
          await until(() => REPORTS.every((url) => asked.includes(url)))
          await page.evaluate('window.answer(window.asksFor)')
          await page.waitForTimeout(500)
          expect(asked.toSorted()).toEqual([manager.script, ...SCRIPTS, ...REPORTS].toSorted())
          expect(blocked).toEqual([])
        },
      )

      test.each(Object.entries(MANAGERS))(
        'no tool is loaded if %s never responds',
        async (name, one) => {
          const integrations = { ...ALL_TOOLS, [name]: one.settings }
          await using served = await ServedSite.start(site({ integrations }))
          const { page, asked } = await open(served)
          await page.waitForTimeout(2_500)
          await page.click('main')
          await page.waitForTimeout(500)
          expect(asked).toEqual([one.script])
        },
      )

      test('the local storage entry for consent is required even with a consent manager', async () => {
        const { settings, script, code } = MANAGERS.onetrust
        const integrations = { ...ALL_TOOLS, onetrust: settings, cookies: { key: 'consent' } }
        await using served = await ServedSite.start(site({ integrations }))
        const { page, asked } = await open(served, { managers: { [script]: code } })
        await until(() => asked.length > 0)
        await page.waitForTimeout(2_500)
        await page.evaluate('window.answer(window.asksFor)')
        await page.waitForTimeout(500)
        expect(asked).toEqual([script])
        await page.evaluate("localStorage.setItem('consent', 'yes')")
        await page.click('main')
        await until(() => REPORTS.every((url) => asked.includes(url)))
      })
    })

    test.each([
      { onetrust: { domainScript: "x' onload='alert(1)" } },
      { onetrust: { domainScript: ONETRUST_ID, categoryId: '' } },
      { onetrust: 'C0002' },
      { transcend: {} },
      { cookies: 'consent' },
      { cookies: { key: 'consent', value: true } },
    ])('no tool is loaded if the consent settings are invalid: %j', async (consent) => {
      const integrations = { ...ALL_TOOLS, ...consent }
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served, {
        prepare: (context) => context.addInitScript("localStorage.setItem('consent', 'no')"),
      })
      await page.waitForTimeout(2_500)
      expect(asked).toEqual([])
    })

    test('an invalid measurement id is not written to the page', async () => {
      const integrations = { ga4: { measurementId: "G-1'+alert(1)+'" } }
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served)
      expect(await page.content()).not.toMatch(/integrations|googletagmanager/)
      expect(asked).toEqual([])
    })

    test('no data is sent to the default host if the configured host is invalid', async () => {
      const integrations = {
        posthog: { ...TOOL_CASES.posthog?.settings, apiHost: 'stats.example.com' },
      }
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served)
      await page.waitForTimeout(1_000)
      expect(asked).toEqual([])
    })

    test("an author's script may load scripts only from the hosts that it or docs.json names", async () => {
      await using served = await ServedSite.start({
        ...site({ contentSecurityPolicy: { 'script-src': ['https://more.example'] } }),
        'widget.js': `for (const host of ['https://widget.example/a.js', 'https://more.' + 'example/b.js', 'https://other.' + 'invalid/c.js']) {
          const script = document.createElement('script')
          script.src = host
          document.head.append(script)
        }`,
      })
      const { asked, blocked } = await open(served)
      await until(() => blocked.length > 0 && asked.length > 1)
      expect(asked.toSorted()).toEqual(['https://more.example/b.js', 'https://widget.example/a.js'])
      expect(blocked.join()).toContain('https://other.invalid/c.js')
    })

    test('tools load after the first paint and do not shift any content', async () => {
      await using served = await ServedSite.start(site({ integrations: ALL_TOOLS }))
      const { page, asked } = await open(served, {
        prepare: (context) =>
          context.addInitScript(`window.shift = 0
          new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value })
            .observe({ type: 'layout-shift', buffered: true })`),
      })
      await until(() => asked.length === SCRIPTS.length + REPORTS.length)
      const [painted, first] = await page.evaluate<readonly number[]>(`[
        performance.getEntriesByName('first-contentful-paint')[0].startTime,
        Math.min(...performance.getEntriesByType('resource')
          .filter(({ name }) => !name.startsWith(location.origin)).map(({ startTime }) => startTime)),
      ]`)
      expect(first).toBeGreaterThan(painted ?? Number.POSITIVE_INFINITY)
      expect(await page.evaluate('window.shift')).toBe(0)
    })
  },
)
