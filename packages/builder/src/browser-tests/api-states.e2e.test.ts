/**
 * Opens API pages and the playground in many states, and checks each with axe and for elements that
 * overflow.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HAS_CHROMIUM, launchChromium } from '../../testing/chromium.ts'
import { findFaults } from '../../testing/find-faults.ts'
import { SampleApi } from '../../testing/sample-api.ts'
import { ServedSite } from '../../testing/served-site.ts'

const WIDE = 1280
const PHONE = 390

type Act = (page: Page) => Promise<unknown>
type State = readonly [name: string, path: string, width: number, look: 'light' | 'dark', act?: Act]

const openSchema: Act = async (page) => {
  await page.locator('.oct-deeper > summary:visible').first().click()
  await page.locator('.oct-deeper .oct-field').first().waitFor()
}

const openCallback: Act = (page) => page.locator('.oct-accordion > summary').first().click()

const openPlayground: Act = async (page) => {
  await page.locator('[data-oct=try]').click()
  await page.locator('.oct-playground').waitFor()
}

const ask: Act = async (page) => {
  await openPlayground(page)
  await page.locator('.oct-send').click()
  await page.locator('.oct-try-missing').waitFor()
}

const showHeaders: Act = async (page) => {
  await send(page)
  await page.getByRole('tab', { name: 'Headers' }).click()
}

const send: Act = async (page) => {
  await openPlayground(page)
  await page.locator('.oct-send').click()
  await page.locator('.oct-answer').waitFor()
}

const editJson: Act = async (page) => {
  await openPlayground(page)
  await page.getByRole('button', { name: 'Edit JSON' }).click()
  await page.locator('#oct-try-body').fill('{\n  "name": "x"\n}')
  await page.locator('.oct-try-faults li').first().waitFor()
}

const findName: Act = async (page) => {
  await page.getByRole('searchbox', { name: 'Find a field' }).fill('name')
  await page.locator('.oct-unfound').first().waitFor({ state: 'attached' })
}

const PLANT = '/api-reference/plants/get-a-plant'
const NEW_PLANT = '/api-reference/plants/add-a-plant'

const STATES: readonly State[] = [
  ['a page', NEW_PLANT, WIDE, 'light'],
  ['a page', NEW_PLANT, WIDE, 'dark'],
  ['a page', NEW_PLANT, PHONE, 'light'],
  ['a schema open', PLANT, WIDE, 'light', openSchema],
  ['a schema open', PLANT, PHONE, 'dark', openSchema],
  ['a callback open', NEW_PLANT, WIDE, 'light', openCallback],
  ['ways to be let in', '/api-reference/basic', WIDE, 'light'],
  ['a field found', NEW_PLANT, WIDE, 'dark', findName],
  ['a field found', NEW_PLANT, PHONE, 'light', findName],
  ['the playground', NEW_PLANT, WIDE, 'light', openPlayground],
  ['the playground', NEW_PLANT, WIDE, 'dark', openPlayground],
  ['the playground', NEW_PLANT, PHONE, 'light', openPlayground],
  ['JSON that does not fit', NEW_PLANT, WIDE, 'light', editJson],
  ['JSON that does not fit', NEW_PLANT, PHONE, 'dark', editJson],
  ['an answer', PLANT.replace('get-a-plant', 'list-plants'), WIDE, 'light', send],
  ['an answer', PLANT.replace('get-a-plant', 'list-plants'), PHONE, 'dark', send],
  ['headers of an answer', '/api-reference/error', WIDE, 'light', showHeaders],
  ['a question', '/api-reference/basic', WIDE, 'dark', ask],
  ['a question', '/api-reference/basic', PHONE, 'light', ask],
  ['an error', '/api-reference/error', WIDE, 'dark', send],
  ['events', '/api-reference/events', WIDE, 'light', send],
  ['from the right', '/ar/api/plants/add-a-plant', WIDE, 'light', openPlayground],
]

const NAMED_STATES = STATES.map((state) => ({ name: state.slice(0, 4).join(', '), state }))

describe.skipIf(!HAS_CHROMIUM)('states of an API page', { timeout: 60_000 }, () => {
  let api: SampleApi
  let site: ServedSite
  let browser: Browser

  beforeAll(async () => {
    api = await SampleApi.start()
    const group = (directory: string) => ({
      group: 'API',
      openapi: { source: 'openapi.json', directory },
    })
    site = await ServedSite.start({
      'docs.json': JSON.stringify({
        name: 'Sample',
        theme: 'mint',
        colors: { primary: '#0f766e' },
        navigation: {
          languages: [
            { language: 'en', groups: [group('api-reference')] },
            { language: 'ar', groups: [group('ar/api')] },
          ],
        },
      }),
      'openapi.json': api.specification(),
    })
    browser = await launchChromium()
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await site?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
  })

  async function openState([, path, width, colorScheme, act]: State): Promise<Page> {
    const viewport = { width, height: 800 }
    const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
    await page.goto(site.origin + path, { waitUntil: 'networkidle' })
    await act?.(page)
    return page
  }

  test.each(NAMED_STATES)('$name: axe finds no accessibility problems', async ({ state }) => {
    const page = await openState(state)
    expect(await findFaults(page)).toEqual([])
    await page.close()
  })

  test('a pointer on a field lights its line in the sample, and a line lights its field', async () => {
    const page = await openState(['', NEW_PLANT, 1440, 'light'])
    await page.locator('#body-name .oct-field-type').first().hover()
    const code = page.locator('.oct-request code.oct-lit')
    await code.waitFor()
    const line = Number(await code.evaluate((one) => one.style.getPropertyValue('--oct-lit-line')))
    const lines = (await code.textContent())?.split('\n') ?? []
    expect(lines[line]).toContain('"name":')
    const box = await code.boundingBox()
    const wanted = lines.findIndex((text) => text.includes('"isWild":'))
    if (box === null || wanted < 0) throw new Error('The sample has no such line.')
    await page.mouse.move(box.x + 40, box.y + 4)
    await page.mouse.move(box.x + 40, box.y + (box.height * (wanted + 0.5)) / lines.length)
    await page.locator('#body-is-wild.oct-lit').waitFor()
    expect(await page.locator('.oct-field.oct-lit').count()).toBe(1)
    await page.close()
  })

  test('the keyboard focus on a field lights its line, and leaving it puts it out', async () => {
    const page = await openState(['', NEW_PLANT, 1440, 'light'])
    const name = page.locator('#body-name .oct-field-name').first()
    await name.focus()
    await page.locator('.oct-request code.oct-lit').waitFor()
    expect(await page.locator('#body-name.oct-lit').count()).toBe(1)
    await name.blur()
    expect(await page.locator('.oct-lit').count()).toBe(0)
    await page.close()
  })

  test('the bar of sections stays visible above the section that it leads to', async () => {
    const page = await openState(['', NEW_PLANT, 1440, 'light'])
    const bar = page.getByRole('navigation', { name: 'On this page' })
    await bar.getByRole('link', { name: 'Responses' }).click()
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0
    await expect
      .poll(async () => (await top('#responses')) > (await top('.oct-sections')))
      .toBe(true)
    expect(await top('.oct-sections')).toBeGreaterThanOrEqual(0)
    await page.close()
  })

  test('a reader finds fields by a part of their name, and an empty search shows all fields', async () => {
    const page = await openState(['', NEW_PLANT, WIDE, 'light', findName])
    const shown = async () => {
      const fields = page.locator('.oct-rest .oct-field:not(.oct-unfound) > .oct-field-head')
      return fields.locator('.oct-field-name').allTextContents()
    }
    const found = (await shown()).map((name) => name.trim())
    expect(found).toContain('name')
    expect(found).not.toContain('isWild')
    const all = await page.locator('.oct-rest .oct-field').count()
    const counted = await page.locator('.oct-sections output').textContent()
    expect(counted).toMatch(new RegExp(`^\\d+/${all}$`))
    await page.getByRole('searchbox', { name: 'Find a field' }).fill('')
    await expect.poll(() => page.locator('.oct-unfound').count()).toBe(0)
    await page.close()
  })

  test('the playground starts with the example of the page, without its placeholders', async () => {
    const page = await openState(['', NEW_PLANT, WIDE, 'light', openPlayground])
    const code = page.getByRole('region', { name: 'Code' })
    expect(await code.textContent()).toContain('"name": "Fern"')
    expect(await code.textContent()).toContain('"rings": 123')
    expect(await code.textContent()).not.toContain('<string>')
    await page.close()
  })

  test("an API page and its playground use the page's language", async () => {
    const page = await openState(['', '/ar/api/plants/get-a-plant', WIDE, 'light', openPlayground])
    expect(await page.locator('.oct-send').textContent()).toBe('إرسال')
    expect(await page.locator('#responses').textContent()).toContain('الاستجابات')
    await page.keyboard.press('Escape')
    await page.locator('#response-parent .oct-deeper > summary').first().click()
    const deeper = page.locator('#response-parent-garden .oct-expandable > summary').first()
    await deeper.waitFor()
    expect(await deeper.textContent()).toContain('خصائص Garden')
    await page.close()
  })
})
