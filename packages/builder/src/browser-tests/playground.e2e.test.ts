/**
 * Checks the API reference and its playground in a real browser, against an API that serves its own
 * specification. "Detail" and "authentication" with a number refer to the requirement "API
 * playground and specification details"; "row" refers to "OpenAPI extension fields".
 */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closePages, HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { SampleApi } from '../../testing/sample-api.ts'
import { ServedSite } from '../../testing/served-site.ts'

const BY_HAND = `---
title: By hand
api: POST /plants
---

<ParamField header="X-Trace" type="string">Follows the request.</ParamField>
<ParamField body="name" type="string" required placeholder="Fern">What it is called.</ParamField>
<ParamField body="size" type="object">
  <Expandable title="size">
    <ParamField body="height" type="number" default={3} />
  </Expandable>
</ParamField>
`

const OLD_LINKS = `---
title: Old links
---

[1](/api-reference/plants/add-a-plant#body-isWild)
[2](/api-reference/plants/add-a-plant#body-kind-one-of-0)
[3](/api-reference/plants/get-a-plant#response-garden-name)
`

describe.skipIf(!HAS_CHROMIUM)('the API reference in a browser', { timeout: 60_000 }, () => {
  let browser: Browser
  let api: SampleApi
  let site: ServedSite
  const refused: string[] = []

  beforeAll(async () => {
    browser = await launchChromium()
    api = await SampleApi.start()
    site = await ServedSite.start({
      'docs.json': JSON.stringify({
        name: 'Sample',
        theme: 'mint',
        colors: { primary: '#0f766e' },
        api: {
          params: { post: ['x-stage'] },
          examples: { languages: ['bash', 'python', 'go'], prefill: false },
          mdx: { server: `${api.origin}/v1`, auth: { method: 'key', name: 'X-Key' } },
        },
        navigation: {
          groups: [
            { group: 'API', openapi: 'openapi.json' },
            { group: 'More', pages: ['hook', 'model', 'by-hand', 'old-links'] },
          ],
        },
        contextual: { options: ['copy', 'download-spec'] },
      }),
      'openapi.json': api.specification(),
      'hook.mdx': '---\ntitle: Hook\nopenapi: openapi.json webhook grown\n---\n',
      'by-hand.mdx': BY_HAND,
      'old-links.mdx': OLD_LINKS,
      'model.mdx': '---\nopenapi-schema: openapi.json Plant\n---\n',
    })
  }, 120_000)

  afterEach(() => closePages(browser))

  afterAll(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
    await api[Symbol.asyncDispose]()
  })

  async function open(path: string, options = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: site.origin, ...options })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text())
    })
    await page.goto(path)
    return page
  }

  async function openPlayground(name: string): Promise<Page> {
    const page = await open(`/api-reference/${name}`)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('.oct-playground').waitFor()
    return page
  }

  /** Sends the request, even if something is missing in it. */
  async function send(page: Page): Promise<Locator> {
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const anyway = page.getByRole('button', { name: 'Send anyway' })
    const isAsked = () => page.evaluate('document.querySelector(".oct-try-missing") !== null')
    const isSent = () => page.evaluate('document.querySelector(".oct-answer") !== null')
    await expect.poll(async () => (await isAsked()) || (await isSent())).toBe(true)
    if (await isAsked()) await anyway.click()
    const answer = page.getByRole('region', { name: 'Response' })
    await answer.waitFor()
    await expect.poll(() => answer.getByText('receiving…').count()).toBe(0)
    return answer
  }

  async function answerOf(page: Page): Promise<string> {
    return (await (await send(page)).locator('.oct-answer-text').textContent()) ?? ''
  }

  describe('API pages', () => {
    // Requirements X1, X2, X3, X4, X8.
    test('row x-svc.metadata: sets title, sidebar title, description and other frontmatter', async () => {
      const page = await open('/moved/here')
      expect(await page.locator('h1').textContent()).toBe('Another title')
      expect(await page.locator('.oct-sidebar [aria-current=page]').textContent()).toContain(
        'Short',
      )
      const meta = (name: string) => page.locator(`meta[${name}]`).getAttribute('content')
      expect(await meta('name=description')).toBe('About it.')
      expect(await meta('property="og:title"')).toBe('Shared title')
    })

    // Requirement X10.
    test("row x-svc.content: MDX content is below the endpoint's address and above the fields", async () => {
      const page = await open('/moved/here')
      const topOf = async (selector: string, hasText: string) =>
        (await page.locator(selector, { hasText }).first().boundingBox())?.y
      const tops = [
        await topOf('.oct-endpoint', ''),
        await topOf('.oct-callout', 'Written above.'),
        await topOf('.oct-field', ''),
      ]
      expect(tops).not.toContain(undefined)
      expect(tops).toEqual(tops.toSorted((a = 0, b = 0) => a - b))
      expect(await page.getByRole('heading', { name: 'Before you start' }).count()).toBe(1)
    })

    // Requirements X11, X15.
    test("row x-svc.href: sets the page's address; row x-hidden: removes the page", async () => {
      const page = await open('/moved/here')
      expect(await page.locator('h1').count()).toBe(1)
      const hidden = await page.request.get(`${site.origin}/api-reference/hidden`)
      expect(hidden.status()).toBe(404)
    })

    // Requirements X12, X13, P8, Y8, Y9.
    test('rows x-svc.pre and x-svc.post, details 5 and 6: the labels of a field are in order', async () => {
      const page = await open('/moved/here')
      const head = page.locator('#response-id > .oct-field-head')
      expect(await head.locator('.oct-pill').allTextContents()).toEqual([
        'before',
        'read-only',
        'beta',
        'after',
      ])
      const first = await head.locator('> *').first().textContent()
      expect(first).toBe('before')
    })

    // Requirement X14.
    test('row x-group: changes the label of a group but not its URL', async () => {
      const page = await open('/api-reference/plants/list-plants')
      expect(await page.locator('.oct-sidebar').textContent()).toContain('Green things')
    })

    // Requirement Y10.
    test('detail 7: callbacks are collapsed between body and responses, and contain a body and responses', async () => {
      const page = await open('/api-reference/plants/add-a-plant')
      const order = await page.locator('.oct-content h2').allTextContents()
      expect(order.map((one) => one.trim())).toEqual(['Servers', 'Body', 'Callbacks', 'Responses'])
      const callback = page.locator('.oct-accordion', { hasText: 'grown' })
      expect(await callback.textContent()).toContain('POST {$request.body#/hook}')
      expect(await callback.locator('.oct-accordion-body').isVisible()).toBe(false)
      await callback.locator('summary').first().click()
      expect(await callback.getByRole('heading', { name: '204' }).isVisible()).toBe(true)
      expect(await callback.locator('#callback-grown-post-body-name').isVisible()).toBe(true)
    })

    // Requirement Y11.
    test('detail 8: the page of a webhook has no playground, whether generated or written by hand', async () => {
      for (const path of ['/api-reference/a-plant-has-grown', '/hook']) {
        const page = await open(path)
        expect(await page.locator('.oct-endpoint .oct-method').textContent()).toBe('Webhook')
        expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
        expect(await page.locator('#body-name').count()).toBe(1)
      }
    })

    test('links to old field anchors still scroll to the field', async () => {
      const page = await open('/old-links')
      for (const [link, id] of [
        ['1', 'body-is-wild'],
        ['2', 'body-kind'],
        ['3', 'response-garden-name'],
      ] as const) {
        await page.getByRole('link', { name: link, exact: true }).click()
        await expect.poll(() => new URL(page.url()).hash).toBe(`#${id}`)
        await expect.poll(() => page.locator(`#${id}`).isVisible()).toBe(true)
        await page.goBack()
      }
    })

    test('detail 4: the page menu downloads the specification', async () => {
      const page = await open('/api-reference/plants/list-plants')
      const link = page.getByText('Download the API specification')
      const href = await link.evaluate((one) => one.closest('a')?.getAttribute('href'))
      expect(href).toBe('/openapi.json')
    })

    // Requirement A9.
    test('detail 3: security alternatives are listed, and those of an operation override the defaults', async () => {
      const page = await open('/api-reference/basic')
      expect(await page.locator('[id^=authorization-]').count()).toBe(2)
      const none = await open('/api-reference/plants/list-plants')
      expect(await none.locator('[id^=authorization-]').count()).toBe(0)
    })

    test('`api` in the frontmatter creates the endpoint line, samples and playground', async () => {
      const page = await open('/by-hand')
      expect(await page.locator('.oct-endpoint .oct-path').textContent()).toMatch(/\/v1\/plants$/)
      await expect
        .poll(() => page.locator('.oct-request').textContent())
        .toContain('curl --request POST')
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByRole('textbox', { name: 'X-Key' }).fill('k-1')
      await page.getByLabel('name', { exact: false }).first().fill('Moss')
      await page.locator('summary', { hasText: 'size' }).last().click()
      await page.getByLabel('height').fill('7')
      const text = await answerOf(page)
      expect(text).toContain('"name": "Moss"')
      expect(text).toContain('"height": 7')
      expect(api.requests.at(-1)).toBe('POST /v1/plants')
    })

    test('a schema can have its own page', async () => {
      const page = await open('/model')
      expect(await page.locator('h1').textContent()).toBe('Plant')
      expect(await page.locator('#schema-height').count()).toBe(1)
    })

    test('a recursive schema expands level by level without limit', async () => {
      const page = await open('/api-reference/plants/get-a-plant')
      let field = page.locator('#response-parent')
      for (const id of ['response-parent-parent', 'response-parent-parent-parent']) {
        await field.locator('> .oct-field-body > .oct-deeper > summary').click()
        field = page.locator(`#${id}`)
        await field.waitFor()
      }
      expect(await field.isVisible()).toBe(true)
    })

    test('an API page without JavaScript shows the first levels and hides controls that need JavaScript', async () => {
      const page = await open('/api-reference/plants/get-a-plant', { javaScriptEnabled: false })
      expect(await page.locator('#response-name').isVisible()).toBe(true)
      expect(await page.locator('[data-oct]:visible').count()).toBe(0)
    })

    test('request samples are in the languages that docs.json lists', async () => {
      const page = await open('/api-reference/plants/list-plants')
      const tabs = page.locator('.oct-request [role=tab]')
      await expect.poll(() => tabs.allTextContents()).toEqual(['cURL', 'Python', 'Go'])
    })
  })

  describe('playground modes', () => {
    // Requirement Y2.
    test('detail 1: the playground mode is simple without a server, and the path can be copied', async () => {
      const page = await open('/api-reference/no-server')
      expect(await page.getByRole('button', { name: 'Try it' }).count()).toBe(0)
      expect(
        await page.locator('.oct-endpoint').getByRole('button', { name: 'Copy' }).count(),
      ).toBe(1)
    })

    // Requirement X5.
    test('the playground modes `none` and `auth` in `x-svc.metadata` hide all controls from anonymous readers', async () => {
      for (const name of ['quiet', 'for-some']) {
        const page = await open(`/api-reference/${name}`)
        expect(await page.locator('.oct-endpoint').getByRole('button').count(), name).toBe(0)
      }
    })
  })

  describe('playground requests', () => {
    // Requirements S4, Y1, Y3.
    test('details 1 and 2: servers can be selected, have variables, and can belong to an operation', async () => {
      const page = await openPlayground('plants/list-plants')
      await page.getByLabel('Server', { exact: true }).selectOption({ index: 1 })
      await page.getByLabel('version').selectOption('v3')
      expect(await answerOf(page)).toContain('/v3/plants?limit=5')
      const other = await openPlayground('other-server')
      await send(other)
      expect(api.requests.at(-1)).toBe('GET /v9/other-server')
    })

    // Requirement Y1.
    test('detail 1: a reader can fill in a variable in the host of a server', async () => {
      const page = await openPlayground('tenant-server')
      await page.getByRole('textbox', { name: 'tenant' }).fill('acme')
      await send(page)
      expect(api.requests.at(-1)).toBe('GET /v9/tenant-server')
    })

    // Requirements X16, X17, X18, A10.
    test("row x-default: fills a field, and the schema's default is still shown", async () => {
      const page = await openPlayground('plants/add-a-plant')
      expect(await page.getByLabel('name', { exact: false }).first().inputValue()).toBe('Fern')
      expect(await page.locator('#body-name .oct-field-value').textContent()).toContain('Moss')
    })

    // Requirements Y4, A5, A6, A7, A8.
    test('detail 3, authentication 4 to 6: credentials of each scheme are sent in the right place', async () => {
      expect(await answerOf(await openPlayground('bearer'))).toContain('Bearer sample-token')
      expect(await answerOf(await openPlayground('key-header'))).toContain('sample-key')
      const basic = await openPlayground('basic')
      await basic.getByLabel('Username').fill('ann')
      await basic.getByLabel('Password').fill('pässword')
      expect(await answerOf(basic)).toContain(
        `Basic ${Buffer.from('ann:pässword').toString('base64')}`,
      )
      await basic.getByLabel('Authentication method').selectOption('bearer')
      expect(await answerOf(basic)).toContain('Bearer sample-token')
      const query = await openPlayground('key-query')
      await query.getByRole('textbox', { name: 'key' }).fill('a b')
      expect(await answerOf(query)).toContain('key=a%20b')
      const cookie = await openPlayground('key-cookie')
      await cookie.getByRole('textbox', { name: 'session' }).fill('s-1')
      expect(await answerOf(cookie)).toContain('session=s-1')
      expect(await cookie.evaluate('document.cookie')).toBe('')
      expect(await cookie.getByText('only if that host has set them').count()).toBe(0)
    })

    // Requirement A6.
    test('a cookie credential for another host has an explanation below its field', async () => {
      const elsewhere = site.origin.replace('127.0.0.1', 'localhost')
      const page = await open(`${elsewhere}/api-reference/key-cookie`)
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByText('only if that host has set them').waitFor()
    })

    test('an empty credential is not sent (requirement Y4)', async () => {
      expect(await answerOf(await openPlayground('basic'))).toContain('"value": ""')
      await send(await openPlayground('key-query'))
      expect(api.requests.at(-1)).toBe('GET /v1/key-query')
      const page = await openPlayground('oauth-client')
      const code = page.getByRole('region', { name: 'Code' })
      expect(await code.textContent()).toContain('Bearer <token>')
      expect(await answerOf(page)).toContain('"value": ""')
    })

    test("a request without a path parameter is not sent, and the parameter's field gets the focus", async () => {
      const page = await openPlayground('plants/get-a-plant')
      const count = api.requests.length
      const field = page.getByRole('textbox', { name: 'id' })
      await page.getByRole('button', { name: 'Close' }).focus()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
      await expect
        .poll(() => page.evaluate('document.activeElement?.id'))
        .toBe('oct-try-%2Fpath%20id')
      await page.getByRole('textbox', { name: 'id integer is missing' }).fill('7')
      expect(api.requests.length).toBe(count)
      await send(page)
      expect(await field.getAttribute('aria-invalid')).toBe('false')
      expect(api.requests.at(-1)).toBe('GET /v1/plants/7')
    })

    test('row x-default: an optional object is filled when it is opened (requirement X17)', async () => {
      const page = await openPlayground('plants/add-a-plant')
      const code = page.getByRole('region', { name: 'Code' })
      expect(await code.textContent()).not.toContain('parent')
      await page.locator('summary', { hasText: 'parent' }).click()
      await expect.poll(() => code.textContent()).toContain('"parent": {')
      const names = page.getByRole('textbox', { name: 'name' })
      expect(
        await names.evaluateAll((all) => all.map((one) => 'value' in one && one.value)),
      ).toEqual(['Fern', 'Fern'])
    })

    test('before a request without required values is sent, the reader is asked', async () => {
      const page = await openPlayground('key-query')
      const count = api.requests.length
      await page.getByRole('textbox', { name: 'key' }).press('Control+Enter')
      await page.getByRole('alert').getByText('is missing').waitFor()
      await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('password')
      expect(api.requests.length).toBe(count)
      await page.getByRole('textbox', { name: 'key' }).fill('k')
      await page.keyboard.press('Control+Enter')
      await page.locator('.oct-answer').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(api.requests.at(-1)).toBe('GET /v1/key-query?key=k')
    })

    test('the address can be edited and fills in the fields, but only below its path', async () => {
      const page = await openPlayground('plants/get-a-plant')
      const address = page.getByRole('textbox', { name: 'URL' })
      expect(await address.inputValue()).toBe('/plants/{id}')
      await address.fill('/plants/9?color=a%20b')
      await expect.poll(() => page.getByRole('textbox', { name: 'id' }).inputValue()).toBe('9')
      await send(page)
      expect(api.requests.at(-1)).toBe('GET /v1/plants/9?color=a%20b')
      await address.fill('/other')
      expect(await address.getAttribute('aria-invalid')).toBe('true')
      await page.getByRole('textbox', { name: 'id' }).focus()
      await expect.poll(() => address.inputValue()).toBe('/plants/9?color=a%20b')
    })

    test('OAuth 2 sign-in works with authorization code and PKCE, and with client credentials', async () => {
      const page = await openPlayground('oauth-code')
      await page.getByLabel('Client ID').fill('docs')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Token received.').waitFor()
      expect(await answerOf(page)).toContain('Bearer code-token')
      const client = await openPlayground('oauth-client')
      await client.getByLabel('Client ID').fill('docs')
      await client.getByLabel('Client secret').fill('wrong')
      await client.getByRole('button', { name: 'Get a token' }).click()
      await client.getByText('Could not get a token: invalid_client').waitFor()
      await client.getByLabel('Client secret').fill('secret-1')
      await client.getByRole('button', { name: 'Get a token' }).click()
      await client.getByText('Token received.').waitFor()
      expect(await answerOf(client)).toContain('Bearer client-token')
    })

    test('fields, alternatives, lists and the JSON editor edit the same request body', async () => {
      const page = await openPlayground('plants/add-a-plant')
      await page.getByLabel('One of').selectOption('Flower')
      await page.getByLabel('color').selectOption('blue')
      await page.locator('summary', { hasText: 'tags' }).click()
      await page.getByRole('button', { name: 'Add item' }).click()
      await page.getByLabel('[0]').fill('green')
      await page.getByLabel('isWild').selectOption('true')
      const code = page.getByRole('region', { name: 'Code' })
      await expect.poll(() => code.textContent()).toContain('"isWild": true')
      await page.locator('.oct-try-code').getByRole('tab', { name: 'Python' }).click()
      await expect.poll(() => code.textContent()).toContain('import requests')
      await send(page)
      const value = { name: 'Fern', kind: { color: 'blue' }, tags: ['green'], isWild: true }
      await page.getByRole('button', { name: 'Edit JSON' }).click()
      const json = page.locator('#oct-try-body')
      expect(JSON.parse(await json.inputValue())).toEqual(value)
      await json.fill('{"name": ')
      expect(await json.getAttribute('aria-invalid')).toBe('true')
      await page.getByText('Line 1 Invalid JSON from here on.').waitFor()
      await json.fill('{\n  "name": "x"\n}')
      await page.getByText('Does not match the specification: 2').waitFor()
      // A mismatch is listed with a link to its line; a new line of JSON is indented.
      await page.getByRole('button', { name: 'Line 2' }).click()
      const selected = () =>
        json.evaluate((one) => one.value.slice(one.selectionStart, one.selectionEnd))
      expect(await selected()).toBe('"x"')
      await json.press('ArrowRight')
      await page.keyboard.type(',\n"a": 1')
      expect(await json.inputValue()).toBe('{\n  "name": "x",\n  "a": 1\n}')
    })

    test('a mismatch links to its field, even deep in collapsed parts', async () => {
      const page = await openPlayground('plants/replace-plants')
      expect(await page.getByText('Does not match the specification').count()).toBe(0)
      await page.getByLabel('field0').fill('x')
      await page.getByText('Does not match the specification: 1').click()
      expect(await page.locator('#oct-try-\\%2Flast\\%2Finner').count()).toBe(0)
      await page.getByRole('button', { name: 'last.inner' }).click()
      await expect
        .poll(() => page.evaluate('document.activeElement?.id'))
        .toBe('oct-try-%2Flast%2Finner')
    })

    test('form, file and multipart bodies are sent', async () => {
      const form = await openPlayground('form')
      await form.getByLabel('name').fill('a&b')
      expect(await answerOf(form)).toContain('name=a%26b')
      const upload = await openPlayground('upload')
      const labels = upload.locator('.oct-playground label', { has: upload.locator('code') })
      expect(await labels.allTextContents()).toEqual(['file filerequired', 'note string'])
      await upload.getByLabel('note').fill('hello')
      const file = { name: 'leaf.txt', mimeType: 'text/plain', buffer: Buffer.from('green') }
      await upload.getByLabel('file').setInputFiles(file)
      const sent = await answerOf(upload)
      for (const part of ['multipart/form-data; boundary', 'leaf.txt', 'green', 'hello']) {
        expect(sent).toContain(part)
      }
      const binary = await openPlayground('binary')
      await binary.getByLabel('file').setInputFiles(file)
      expect(await answerOf(binary)).toContain('"length": 5')
    })
  })

  describe('playground responses', () => {
    test('a response shows status, time, size, headers and differences from the specification', async () => {
      const page = await openPlayground('plants/get-a-plant')
      await page.getByRole('textbox', { name: 'id' }).fill('7')
      const answer = await send(page)
      expect(await answer.locator('.oct-answer-line').textContent()).toMatch(/200 OK\d+ ms\d+ B/)
      await answer.getByRole('tab', { name: 'Headers' }).click()
      expect(await answer.getByText('r-1').isVisible()).toBe(true)
      await answer.getByText('Differences from the specification: 1').waitFor()
      expect(await answer.textContent()).toContain('height should be number, is string')
    })

    test('a redirect is followed and its target shown, and an undocumented error status is reported', async () => {
      const redirect = await send(await openPlayground('redirect'))
      expect(await redirect.textContent()).toContain('/plants/7')
      const error = await send(await openPlayground('error'))
      expect(await error.textContent()).toContain('500')
      await error.getByText('does not describe the status 500').waitFor()
    })

    test('images are displayed, and other files can be downloaded', async () => {
      const picture = await send(await openPlayground('picture'))
      await expect.poll(() => picture.locator('img').evaluate((one) => one.naturalWidth)).toBe(1)
      const archive = await send(await openPlayground('archive'))
      expect(await archive.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe(
        'response.zip',
      )
    })

    test('streamed events and lines appear while they arrive', async () => {
      for (const name of ['events', 'lines']) {
        const page = await openPlayground(name)
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        const events = page.locator('.oct-answer-events > li')
        await page.getByText('receiving…').waitFor()
        await events.first().waitFor()
        await expect.poll(() => events.count()).toBe(3)
        await expect.poll(() => page.getByText('receiving…').count()).toBe(0)
        await page.getByText('Matches the specification').waitFor()
      }
    })

    test('a stream and a slow response can be canceled', async () => {
      const page = await openPlayground('events')
      await page.getByLabel('count').fill('1000')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.locator('.oct-answer-events > li').first().waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Canceled.').waitFor()
      const slow = await openPlayground('slow')
      await slow.getByRole('button', { name: 'Send', exact: true }).click()
      await slow.getByRole('button', { name: 'Cancel' }).click()
      await slow.getByText('Canceled.').waitFor()
    })
  })

  describe('secrets and shared links', () => {
    test('secrets are kept only for the tab, and never become part of a link', async () => {
      const page = await openPlayground('key-query')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('textbox', { name: 'key' }).fill('very-secret')
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('very-secret')
      await page.getByRole('button', { name: 'Copy link' }).click()
      const link = await copiedText(page)
      const text = Buffer.from(link.split('#try=')[1] ?? '', 'base64url').toString()
      expect(text).not.toContain('very-secret')
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('very-secret')
      await page.goto(`${site.origin}/api-reference/key-query`)
      await page.getByRole('button', { name: 'Try it' }).click()
      await expect
        .poll(() => page.getByRole('textbox', { name: 'key' }).inputValue())
        .toBe('very-secret')
      const other = await openPlayground('key-query')
      expect(await other.getByRole('textbox', { name: 'key' }).inputValue()).toBe('')
    })

    test('a shared link fills in the request but does not send it', async () => {
      const page = await openPlayground('plants/list-plants')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByLabel('limit').fill('42')
      await page.getByRole('button', { name: 'Copy link' }).click()
      const link = await copiedText(page)
      const count = api.requests.length
      const shared = await open(link)
      await expect.poll(() => shared.getByLabel('limit').inputValue()).toBe('42')
      expect(api.requests.length).toBe(count)
    })
  })

  test('a request can be sent using only the keyboard', async () => {
    const page = await open('/api-reference/plants/get-a-plant')
    const tabTo = async (id: string) => {
      const isFocused = `document.activeElement?.matches(${JSON.stringify(id)})`
      for (let presses = 0; presses < 120 && !(await page.evaluate(isFocused)); presses += 1)
        await page.keyboard.press('Tab')
      expect(await page.evaluate(isFocused), id).toBe(true)
    }
    await tabTo('.oct-try')
    await page.keyboard.press('Enter')
    await page.locator('.oct-playground').waitFor()
    await tabTo('[id="oct-try-%2Fpath%20id"]')
    await page.keyboard.type('3')
    await tabTo('.oct-send')
    await page.keyboard.press('Enter')
    await page.locator('.oct-status-good').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Try it')
  })

  test('the content security policy blocked nothing in the playground', () =>
    expect(refused).toEqual([]))
})

/**
 * Returns the copied text. It waits for the page's confirmation, because the copy script is loaded
 * on demand.
 */
async function copiedText(page: Page): Promise<string> {
  await page.locator('#oct-status:not(:empty)').waitFor({ state: 'attached' })
  return String(await page.evaluate('navigator.clipboard.readText()'))
}
