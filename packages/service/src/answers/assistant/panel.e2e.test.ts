/**
 * Tests the assistant panel in Chromium, with a real service and a fake model server on loopback.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  answer,
  callTool,
  piece,
  startModelServer,
  streamOpen,
} from '../../../../assistant/testing/model-server.ts'
import { closePages } from '../../../../builder/testing/chromium.ts'
import { findFaults } from '../../../../builder/testing/find-faults.ts'
import { HOSTILE_ANSWERS } from '../../../../theme/src/answers/hostile-answers.case.ts'
import {
  type AssistantSite,
  modelAt,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { HAS_CHROMIUM, launchFor, openPage, PHONE } from '../../../testing/panel-site.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { AssistantSettingsStore, NO_SETTINGS } from './settings-store.ts'

const FILES = {
  'docs.json': JSON.stringify({
    name: 'Garden',
    contextual: { options: ['copy', 'assistant'] },
    navigation: {
      languages: [
        { language: 'en', groups: [{ group: 'Care', pages: ['water', 'soil', 'quiet'] }] },
        { language: 'ar', groups: [{ group: 'العناية', pages: ['ar/water'] }] },
      ],
    },
  }),
  'water.mdx':
    '---\ntitle: Water\n---\nPlants need water.\n\n## Hose\n\nTurn on the hose every morning.\n\n```sh\nhose on\n```\n',
  'quiet.mdx': '---\ntitle: Quiet\nassistant: false\n---\nNobody asks here.\n',
  'soil.mdx': '---\ntitle: Soil\n---\nMix compost into heavy soil before planting tomatoes.\n',
  'ar/water.mdx': '---\ntitle: الماء\n---\n## الخرطوم\n\nشغل الخرطوم كل صباح.\n',
}
const ANSWER =
  'Turn on the **hose** [1]:\n\n```sh\nhose on\n```\n\n- Every morning.\n- Not at noon.\n\n| When | How |\n|---|---|\n| Morning | `hose on` |\n{"answered": true, "category": "how-to", "sources": [1]}'
const NO_ANSWER = 'Nothing about tax was found.\n{"answered": false, "category": "off-topic"}'

const model = await startModelServer()
let service: TestService
let site: AssistantSite
let quoting: AssistantSite | undefined
let browser: Browser
let canaryRequests = 0
const canary = createServer((_, response) => {
  canaryRequests += 1
  response.end()
})

beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  canary.listen(0, '127.0.0.1')
  const built = await builtSite(FILES)
  service = await startAssistantService({
    assistant: {
      model: modelAt(model.url, { hasTools: true }),
      tokensPerDay: undefined,
      tokensPerMonth: undefined,
    },
  })
  site = await newAssistantSite(service, built)
  const { port } = canary.address() as AddressInfo
  browser = await launchFor(service.port, `MAP canary.invalid 127.0.0.1:${port}`)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  model.stop()
  canary.close()
})
beforeEach(() => model.behave(answer(ANSWER)))
afterEach(() => closePages(browser))

const visit = (path = '/water', options = {}) =>
  openPage(browser, `http://${site.host}:8080${path}`, options)

/** Opens a page of a site whose assistant answers without a model. */
async function visitQuoting(path: string, options = {}) {
  quoting ??= await newAssistantSite(service, await builtSite(FILES))
  await service.owner.query(
    'insert into assistant (project_id, tokens_per_day) values ($1, 0) on conflict do nothing',
    [quoting.project.id],
  )
  return openPage(browser, `http://${quoting.host}:8080${path}`, options)
}

const recorded = (query: string) =>
  service.owner.query<{ id: string; status: string; reason: string | null }>(
    `select c.id, c.resolution_status as status, d.reason
       from conversation c left join conversation_detail d using (project_id, id)
      where project_id = $1 and query = $2 order by c.id`,
    [site.project.id, query],
  )

describe.skipIf(!HAS_CHROMIUM)('the assistant panel', () => {
  test('the panel loads no files and causes no layout shift before it is opened', async () => {
    const { page, asked, open } = await visit()
    const shift = await page.evaluate<number>(
      `new Promise((done) => new PerformanceObserver((list) => done(list.getEntries()
        .reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true })
        || setTimeout(done, 500, 0))`,
    )
    expect(shift).toBeLessThan(0.001)
    expect(asked.filter((url) => url.includes('/_octavo/assistant/'))).toEqual([])
    await open()
    await vi.waitFor(() =>
      expect(asked.filter((url) => url.includes('/_octavo/assistant/'))).toEqual([
        expect.stringMatching(/\/panel-[\da-f]{12}-en\.js$/),
        expect.stringMatching(/\/ticket$/),
      ]),
    )
  })

  test('a page has no assistant button if its author disabled it', async () => {
    const { page, button } = await visit()
    await page.goto(`http://${site.host}:8080/quiet`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+i')
    expect(await button.count()).toBe(0)
    expect(await page.locator('octavo-assistant').count()).toBe(0)
  })

  test('an answer shows its sources, and the conversation continues on the next page', async () => {
    model.behave(callTool('search', { query: 'hose' }), answer(ANSWER))
    const { page, panel, open, ask, field, answer: said } = await visit('/soil')
    await open()
    await ask('How do I turn on the hose?')
    expect(await said()).toContain('Turn on the hose')
    expect(await panel.locator('.did summary').innerText()).toContain('Searched 1 time')
    const citation = panel.locator('a.cite')
    expect(await citation.getAttribute('href')).toBe('/water#hose')
    expect(await panel.locator('.sources li').innerText()).toMatch(/1\s*Water\s*Hose/)
    await ask('And at noon?')
    expect(
      model.requests.at(-1)?.body.messages.map(({ role }: { role: string }) => role),
    ).toContain('assistant')
    await citation.first().click()
    await page.waitForURL('**/water#hose')
    await vi.waitFor(async () =>
      expect(await panel.locator('.me').allInnerTexts()).toEqual([
        'How do I turn on the hose?',
        'And at noon?',
      ]),
    )
    expect(await field.getAttribute('placeholder')).toBe('Ask a follow-up')
  })

  test('the panel quotes the documentation if there is no model, even below a base path', async () => {
    const below = await newAssistantSite(service, await builtSite(FILES, 'https://a.example/docs/'))
    await service.owner.query('insert into assistant (project_id, tokens_per_day) values ($1, 0)', [
      below.project.id,
    ])
    const reader = await openPage(browser, `http://${below.host}:8080/docs/soil`)
    await reader.open()
    await reader.ask('hose every morning')
    const turn = reader.panel.locator('.turn')
    expect(await turn.innerText()).toContain('Turn on the hose every morning.')
    expect(await turn.locator('a[href="/docs/water#hose"]').count()).toBe(1)
    expect(model.requests).toEqual([])
  })

  test('the panel shows the best matches if no passage answers the question', async () => {
    const { panel, open, ask } = await visitQuoting('/soil')
    await open()
    await ask('How much does a new hose cost, and who repairs tomatoes?')
    expect(await panel.locator('.matches h3').innerText()).toBe('Best matches')
    const links = await panel
      .locator('.match > a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toContain('/water#hose')
    expect(await panel.locator('.matches').innerText()).toContain('Turn on the hose every morning.')
    expect(await panel.locator('.none, .sources').count()).toBe(0)
    expect(await panel.locator('.turn').innerText()).not.toContain('These sections')
  })

  test('the panel names words in the question that the documentation does not contain', async () => {
    const { panel, open, ask } = await visitQuoting('/water')
    await open()
    await ask('Can I turn on the hose with PayPal?')
    expect(await panel.locator('.none').innerText()).toBe(
      'The documentation does not answer this.\n\nNo section mentions: “PayPal”.',
    )
    expect(await panel.locator('.match').count()).toBe(0)
    expect(await panel.locator('.sources a').count()).toBeGreaterThan(0)
  })

  test('an answer can be stopped and the question asked again', async () => {
    const question = 'How long does the hose run?'
    model.behave(
      streamOpen(...['Turn on ', 'the hose. [1] ', 'It runs for '].map(piece)),
      answer(ANSWER),
    )
    const { panel, field, open, press } = await visit()
    await open()
    await field.fill(question)
    await field.press('Enter')
    await panel.locator('.asking').waitFor()
    await press('Cancel')
    await panel.getByText('Canceled.', { exact: true }).first().waitFor()
    await vi.waitFor(async () =>
      expect(await recorded(question)).toMatchObject([{ status: 'unanswered', reason: 'stopped' }]),
    )
    await press('Try again')
    await panel.locator('.sources').waitFor()
    expect(await panel.locator('.me').count()).toBe(1)
    expect(await recorded(question)).toMatchObject([{ reason: 'stopped' }, { status: 'answered' }])
  })

  test('the panel shows related pages if there is no answer', async () => {
    model.behave(answer(NO_ANSWER))
    const { panel, open, ask } = await visit()
    await open()
    await ask('Must I pay tax for the hose?')
    expect(await panel.locator('.none').innerText()).toBe(
      'The documentation does not answer this.\n\nNothing about tax was found.',
    )
    expect(await panel.locator('.sources').innerText()).toContain('Related pages')
  })

  test('a reader can rate an answer with a reason and add a comment afterwards', async () => {
    const { panel, open, ask, press } = await visit()
    await open()
    await ask('Is the hose on?')
    await press('Bad answer')
    await press('Outdated')
    await panel.getByText('Thank you for your feedback.').waitFor()
    const [{ id } = { id: '' }] = await recorded('Is the hose on?')
    const said = () =>
      service.owner.query(
        'select is_helpful, reason, note from conversation_feedback where project_id = $1 and id = $2',
        [site.project.id, id],
      )
    expect(await said()).toEqual([{ is_helpful: false, reason: 'outdated', note: null }])
    await panel.locator('.why input').fill('Ask me at reader@example.com.')
    await panel.locator('.why input').press('Enter')
    await panel.getByText('Thank you for your feedback.').waitFor()
    const note = 'Ask me at <masked: e-mail>.'
    await vi.waitFor(async () =>
      expect(await said()).toEqual([{ is_helpful: false, reason: 'outdated', note }]),
    )
  })

  test('proof of work is computed when the first question is asked, not earlier', async () => {
    const store = new AssistantSettingsStore(service.owner.forProject(site.project.tenant))
    await store.write({ ...NO_SETTINGS, needsProof: true })
    const { asked, open, ask, answer } = await visit()
    const proofs = () => asked.filter((url) => /\/proof-[\da-f]{12}\.js$/.test(url))
    await open()
    expect(proofs()).toEqual([])
    await ask('How do I turn on the hose with work?')
    expect(await answer()).toContain('Turn on the hose')
    await ask('And how do I turn it off?')
    expect(proofs()).toHaveLength(1)
    await store.write(NO_SETTINGS)
  })

  test('conversations are stored in the browser until the reader deletes them', async () => {
    const { page, panel, open, ask, press, button, field } = await visit()
    await open()
    await ask('Where is the hose?')
    await press('Close')
    await page.reload()
    await button.click()
    await press('Earlier conversations')
    await press('Where is the hose?')
    expect(await panel.locator('.sources').innerText()).toContain('Water')
    await press('Earlier conversations')
    await press('Delete all conversations')
    await field.waitFor()
    const kept = await page.evaluate<string[]>('Object.keys(localStorage)')
    expect(kept.filter((key) => key.includes('assistant'))).toEqual([])
  })

  test('the panel can be used with the keyboard alone and restores the focus', async () => {
    const { page, panel, field } = await visit()
    await page.keyboard.press('Control+i')
    await field.waitFor()
    await page.keyboard.type('Who waters the plants?')
    await page.keyboard.press('Enter')
    await panel.locator('.rate').waitFor()
    const names: string[] = []
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Shift+Tab')
      names.push(
        await page.evaluate<string>(
          `(document.activeElement?.shadowRoot?.activeElement?.ariaLabel ?? document.activeElement?.shadowRoot?.activeElement?.textContent ?? '')`,
        ),
      )
    }
    for (const name of ['Try again', 'Copy answer', 'Good answer', 'Copy', '1: Water'])
      expect(names).toContain(name)
    await page.keyboard.press('Escape')
    expect(await panel.locator('textarea').isVisible()).toBe(false)
    expect(await page.evaluate<string>('document.activeElement.className')).toBe('oct-ask')
    await page.keyboard.press('Enter')
    await field.waitFor()
    expect(await page.evaluate<string>('document.activeElement.localName')).toBe('octavo-assistant')
  })

  test('a screen reader announces an answer sentence by sentence', async () => {
    model.behave(streamOpen(...['Turn on ', 'the `hose`. [1] ', 'It runs for '].map(piece)))
    const { panel, field, open, press } = await visit()
    await open()
    await field.fill('How does it sound?')
    await field.press('Enter')
    const said = () => panel.locator('.spoken p').allTextContents()
    await panel.getByText('It runs for').waitFor()
    await vi.waitFor(async () => expect(await said()).toEqual(['Searching…', 'Turn on the hose.']))
    await press('Cancel')
    await vi.waitFor(async () => expect(await said()).toContain('It runs for'))
    expect((await said()).at(-1)).toBe('Canceled.')
  })

  test('the panel opens from the search dialog, the page menu and a URL', async () => {
    const { page, panel, field } = await visit()
    await page.keyboard.press('Control+k')
    const search = page.locator('#oct-search input')
    await search.fill('hose on')
    await page.locator('[data-kind=ask]').waitFor()
    // The first suggestion is a page, which a reader who searches is more likely to want.
    expect(await page.locator('.oct-found[aria-selected=true]').getAttribute('data-kind')).not.toBe(
      'ask',
    )
    await search.press('Control+Enter')
    await panel.locator('.rate').waitFor()
    expect(await panel.locator('.me').innerText()).toBe('hose on')
    await field.press('Escape')
    await page.locator('.oct-page-menu .oct-menu > button').click()
    await page.getByRole('button', { name: 'Ask the assistant' }).last().click()
    await field.waitFor()
    const before = model.requests.length
    const linked = await visit('/water?assistant=What+is+compost%3F')
    await linked.field.waitFor()
    expect(await linked.field.inputValue()).toBe('What is compost?')
    expect(model.requests.length).toBe(before)
  })

  test('a question can refer to selected text, to a code block, or to no page', async () => {
    const { page, panel, open, ask, press } = await visit()
    const asked: { page?: string; selection?: string }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/messages')) asked.push(request.postDataJSON())
    })
    await open()
    await page.locator('main h2').selectText()
    await vi.waitFor(async () =>
      expect(await panel.locator('.chip b').innerText()).toBe('selected text'),
    )
    await ask('What is that?')
    await page.locator('.oct-code').hover()
    await page.locator('.oct-ask-code').click()
    await ask('What does it do?')
    await press('Dismiss')
    await ask('What else is there?')
    expect(asked).toMatchObject([
      { page: '/water', selection: 'Hose' },
      { page: '/water', selection: 'hose on' },
      {},
    ])
    expect(asked[2]).not.toHaveProperty('page')
  })

  test('the panel explains why it cannot answer', async () => {
    const { page, panel, open, ask } = await visit()
    await open()
    await page.context().setOffline(true)
    await ask('Am I there?')
    expect(await panel.locator('.none').last().innerText()).toContain('You are offline.')
    await page.context().setOffline(false)
    await page.route('**/messages', (route) => route.fulfill({ status: 429, body: '{}' }))
    await ask('Too much?')
    expect(await panel.locator('.none').last().innerText()).toContain('not available right now')
  })

  test('the panel requests JSON after a proxy has buffered a stream', async () => {
    const { page, panel, open, ask } = await visit()
    const accepted: (string | undefined)[] = []
    await page.route('**/messages', async (route) => {
      accepted.push(route.request().headers().accept)
      const { accept = '' } = route.request().headers()
      const headers = { accept, 'content-type': 'application/json' }
      const body = route.request().postData() ?? ''
      const whole = await site.call('POST', '/_octavo/assistant/messages', { headers, body })
      if (accepted.length === 1) await new Promise((resolve) => setTimeout(resolve, 5_500))
      const contentType = whole.headers['content-type'] ?? ''
      await route.fulfill({ status: whole.status, contentType, body: whole.text })
    })
    await open()
    await ask('Who keeps the stream?')
    await ask('And who does it now?')
    expect(accepted).toEqual(['text/event-stream', 'application/json'])
    expect(await panel.locator('.sources').count()).toBe(2)
    expect(await recorded('Who keeps the stream?')).toHaveLength(1)
  })

  test('the panel asks again for JSON after an empty stream', async () => {
    const { page, panel, open, ask } = await visit()
    let requests = 0
    await page.route('**/messages', async (route) => {
      requests += 1
      if (requests > 1) return route.continue()
      return route.fulfill({ contentType: 'text/event-stream', body: '' })
    })
    await open()
    await ask('Who ate the stream?')
    expect(requests).toBe(2)
    expect(await panel.locator('.sources').count()).toBe(1)
  })
})

describe.skipIf(!HAS_CHROMIUM)('hostile answers', () => {
  test('a hostile answer runs no code and loads no files, and its links show their hosts', async () => {
    const { page, panel, open, ask, asked, errors } = await visit()
    let text = ''
    await page.route('**/messages', (route) => {
      const parts = [
        { type: 'start', messageId: 'm' },
        ...(text.match(/[\s\S]{1,2000}/gu) ?? []).map((delta) => ({ type: 'text-delta', delta })),
        { type: 'source-url', url: 'javascript:window.hacked=1', title: text.slice(0, 200) },
        {
          type: 'source-url',
          url: 'http://canary.invalid/source',
          title: '<img src=x onerror=window.hacked=1>',
        },
        { type: 'data-step', data: { tool: 'read', of: text.slice(0, 200) } },
        { type: 'data-outcome', data: { status: 'answered', nearest: [] } },
      ]
      const body = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')
      return route.fulfill({ contentType: 'text/event-stream', body })
    })
    await open()
    for (const [name, hostile] of HOSTILE_ANSWERS) {
      text = hostile
      await panel.getByRole('button', { name: 'New conversation' }).click()
      await ask(name)
      const shown = await panel.locator('.turn').evaluate((turn) => ({
        tags: [...new Set([...turn.querySelectorAll('*')].map(({ localName }) => localName))],
        handlers: [...turn.querySelectorAll('*')].flatMap(({ attributes }) =>
          [...attributes].filter((attribute) => /^on|^style$|^src/.test(attribute.name)),
        ).length,
        links: [...turn.querySelectorAll('a')].map((link) => ({
          href: link.href,
          rel: link.rel,
          text: link.textContent,
          after: link.nextSibling?.textContent ?? '',
        })),
      }))
      expect(
        shown.tags.filter((tag) => !SHOWN_TAGS.has(tag)),
        name,
      ).toEqual([])
      expect(shown.handlers, name).toBe(0)
      for (const { href, rel, text: label, after } of shown.links) {
        expect(href, name).toMatch(/^https?:/)
        const { host, origin } = new URL(href)
        if (origin === `http://${site.host}:8080`) continue
        expect(rel).toContain('noopener')
        expect(`${label}${after}`, name).toContain(host)
      }
      for (const link of await panel.locator('.turn a').all()) await link.hover({ force: true })
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(page.url()).toBe(`http://${site.host}:8080/water`)
    expect(canaryRequests).toBe(0)
    expect(asked.filter((url) => !url.startsWith(`http://${site.host}:8080/`))).toEqual([])
    expect(errors).toEqual([])
  })
})

const SHOWN_TAGS = new Set(
  'p div details summary svg path ul ol li b span strong em code pre a small br section h3 button blockquote table tbody tr th td'.split(
    ' ',
  ),
)

describe.skipIf(!HAS_CHROMIUM)('axe', () => {
  test.each([
    ['light', '/water', {}],
    ['dark', '/water', { colorScheme: 'dark' as const }],
    ['on a phone', '/water', { viewport: PHONE }],
    ['from right to left', '/ar/water', {}],
  ])('axe finds no problems in any state of the panel: %s', async (name, path, options) => {
    const { page, panel, field, open, ask } = await visit(path, options)
    const faults: string[] = []
    const look = async (state: string) =>
      faults.push(...(await findFaults(page)).map((fault) => `${state}: ${fault}`))
    await look('closed')
    await open()
    await look('empty')
    model.behave(streamOpen(...['Turn on ', 'the `hose`. [1] ', 'It runs for '].map(piece)))
    await field.fill(`How does it look, ${name}?`)
    await field.press('Enter')
    await panel.locator('.asking').waitFor()
    await look('streaming')
    await panel.locator('.send').click()
    await panel.locator('.rate').waitFor()
    await look('stopped')
    model.behave(answer(ANSWER))
    await ask(`How does it look now, ${name}?`)
    await look('answered')
    await panel.locator('.rate button').nth(-3).click()
    await look('rated')
    model.behave(answer(NO_ANSWER))
    await ask(`Must I pay tax for it, ${name}?`)
    await look('unanswered')
    await panel.locator('header button').first().click()
    await look('earlier')
    expect(faults).toEqual([])
  })

  test.each([
    ['light', '/water', {}],
    ['dark', '/water', { colorScheme: 'dark' as const }],
    ['on a phone', '/water', { viewport: PHONE }],
    ['from right to left', '/ar/water', {}],
  ])('axe finds no problems in the panel without a model: %s', async (_, path, options) => {
    const { page, panel, open, ask } = await visitQuoting(path, options)
    await open()
    const hose = path === '/water' ? 'Turn on the hose every morning' : 'شغل الخرطوم كل صباح'
    const match = {
      url: path,
      title: 'Water › Hose',
      text: `${hose}:\n\n\`\`\`sh\nhose on\n\`\`\``,
    }
    // These replies produce all states of the panel, which small sites cannot do. How a state looks
    // does not depend on the site.
    const replies = [
      { status: 'answered', text: hose, sources: [match], nearest: [], matches: [match] },
      { status: 'unanswered', text: '', sources: [], nearest: [], matches: [match] },
    ]
    await page.route('**/messages', (route) => route.fulfill({ json: replies.shift() }))
    await ask(hose)
    await panel.locator('.quote').waitFor()
    await panel.locator('details.matches summary').click()
    await panel.locator('.match').waitFor()
    await ask(`${hose} 2`)
    await panel.locator('div.matches .match').first().waitFor()
    await page.unroute('**/messages')
    await ask(`${hose} PayPal?`)
    await panel.locator('.none').waitFor()
    expect(await findFaults(page)).toEqual([])
  })
})
