/**
 * `integrations` of docs.json in a browser: the page that a build writes, with its policy, and each
 * tool played by a few lines that read what the tool documents and report to where it reports.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, closePages, HAS_CHROMIUM, launchChromium } from '../testing/chromium.ts'
import { ServedSite } from '../testing/served-site.ts'

type Case = {
  readonly settings: object
  /** What the page asks for. */
  readonly script: string
  /** What the tool does there. */
  readonly code: string
  /** What arrives at its host. */
  readonly report: string
}

const send = (url: string) => `fetch(${url}, { mode: 'no-cors' }).catch(() => {})`
const GOOGLE_CODE = `
  for (const call of window.dataLayer) if (call[0] === 'config') {
    ${send("'https://region1.google-analytics.com/g/collect?tid=' + call[1]")}
  }`

const TOOLS: Readonly<Record<string, Case>> = {
  ga4: {
    settings: { measurementId: 'G-AB12CD34EF' },
    script: 'https://www.googletagmanager.com/gtag/js?id=G-AB12CD34EF',
    code: GOOGLE_CODE,
    report: 'https://region1.google-analytics.com/g/collect?tid=G-AB12CD34EF',
  },
  gtm: {
    settings: { tagId: 'GTM-AB12CD3' },
    script: 'https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD3',
    code: `if (window.dataLayer.some((one) => one.event === 'gtm.js' && one['gtm.start'] > 0)) {
      ${send("'https://www.googletagmanager.com/a?v=3'")}
    }`,
    report: 'https://www.googletagmanager.com/a?v=3',
  },
  heap: {
    settings: { appId: '1234567890' },
    script: 'https://cdn.us.heap-api.com/config/1234567890/heap_config.js',
    code: send("'https://c.us.heap-api.com/h?a=' + window.heap.envId"),
    report: 'https://c.us.heap-api.com/h?a=1234567890',
  },
  intercom: {
    settings: { appId: 'ab12cd34' },
    script: 'https://widget.intercom.io/widget/ab12cd34',
    code: `typeof window.Intercom === 'function' &&
      ${send("'https://api-iam.intercom.io/messenger/web/ping?app_id=' + window.intercomSettings.app_id")}`,
    report: 'https://api-iam.intercom.io/messenger/web/ping?app_id=ab12cd34',
  },
  mixpanel: {
    settings: { projectToken: '0123456789abcdef0123456789abcdef', region: 'eu' },
    script: 'https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js',
    code: `for (const [token, config, name] of window.mixpanel._i) {
      if (name === 'mixpanel' && config.track_pageview) ${send("config.api_host + '/track/?t=' + token")}
    }`,
    report: 'https://api-eu.mixpanel.com/track/?t=0123456789abcdef0123456789abcdef',
  },
  plausible: {
    settings: { domain: 'docs.example.com', server: 'stats.example.com' },
    script: 'https://stats.example.com/js/script.js',
    code: `const { dataset, src } = document.currentScript
      ${send("new URL(src).origin + '/api/event?d=' + dataset.domain")}`,
    report: 'https://stats.example.com/api/event?d=docs.example.com',
  },
  posthog: {
    settings: { apiKey: 'phc_AbCdEf0123456789' },
    script: 'https://us-assets.i.posthog.com/static/array.js',
    code: `for (const [key, config] of window.posthog._i) ${send("config.api_host + '/e/?k=' + key + '&r=' + config.disable_session_recording")}`,
    report: 'https://us.i.posthog.com/e/?k=phc_AbCdEf0123456789&r=true',
  },
  segment: {
    settings: { key: 'AbCdEf0123456789AbCdEf0123456789' },
    script:
      'https://cdn.segment.com/analytics.js/v1/AbCdEf0123456789AbCdEf0123456789/analytics.min.js',
    code: `if (window.analytics.some(([method]) => method === 'page')) {
      ${send("'https://api.segment.io/v1/p?k=' + window.analytics._writeKey")}
    }`,
    report: 'https://api.segment.io/v1/p?k=AbCdEf0123456789AbCdEf0123456789',
  },
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

    /** Opens the page; whatever leaves it for another host is recorded, and answered as its tool does. */
    async function open(
      served: ServedSite,
      prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
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
          const code = Object.values(TOOLS).find(({ script }) => script === url)?.code ?? ''
          await route.fulfill({ contentType: 'text/javascript', body: code })
        },
      )
      const page = await context.newPage()
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) blocked.push(message.text())
      })
      await page.goto(served.origin)
      return { page, asked, blocked }
    }

    async function until(isDone: () => boolean): Promise<void> {
      await expect.poll(isDone, { timeout: 10_000 }).toBe(true)
    }

    test.each(Object.entries(TOOLS))(
      '%s is loaded by the page of a build, and reports',
      async (name, tool) => {
        await using served = await ServedSite.start(
          site({ integrations: { [name]: tool.settings } }),
        )
        const { asked, blocked } = await open(served)
        await until(() => asked.includes(tool.report))
        expect(asked.toSorted()).toEqual([tool.script, tool.report].toSorted())
        expect(blocked).toEqual([])
      },
    )

    test('a tool waits until the reader consents', async () => {
      const cookies = { key: 'consent', value: 'yes' }
      const integrations = { ga4: TOOLS.ga4?.settings, cookies }
      await using served = await ServedSite.start({
        ...site({ integrations }),
        'consent.js': `const button = document.createElement('button')
          button.textContent = 'I agree'
          button.onclick = () => localStorage.setItem('consent', 'yes')
          document.querySelector('main').prepend(button)`,
      })
      const { page, asked } = await open(served)
      await page.waitForTimeout(2_500)
      expect(asked).toEqual([])
      await page.getByRole('button', { name: 'I agree' }).click()
      await until(() => asked.length === 2)
      await page.reload()
      await until(() => asked.length === 4)
    })

    test('nothing is loaded where another tool is to ask for consent', async () => {
      const integrations = { ga4: TOOLS.ga4?.settings, onetrust: { domainScript: '96e22fd8' } }
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served)
      await page.waitForTimeout(2_500)
      expect(asked).toEqual([])
    })

    test('an id that is none reaches no page', async () => {
      const integrations = { ga4: { measurementId: "G-1'+alert(1)+'" } }
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served)
      expect(await page.content()).not.toMatch(/integrations|googletagmanager/)
      expect(asked).toEqual([])
    })

    test('nor does data go to the usual host where another one was meant', async () => {
      const integrations = { posthog: { ...TOOLS.posthog?.settings, apiHost: 'stats.example.com' } }
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served)
      await page.waitForTimeout(1_000)
      expect(asked).toEqual([])
    })

    test("hosts that an author's script names are allowed to it, and others are not", async () => {
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

    test('tools come after the paint, and nothing moves', async () => {
      const integrations = Object.fromEntries(
        Object.entries(TOOLS).map(([name, { settings }]) => [name, settings]),
      )
      await using served = await ServedSite.start(site({ integrations }))
      const { page, asked } = await open(served, (context) =>
        context.addInitScript(`window.shift = 0
          new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value })
            .observe({ type: 'layout-shift', buffered: true })`),
      )
      await until(() => asked.length === 16)
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
