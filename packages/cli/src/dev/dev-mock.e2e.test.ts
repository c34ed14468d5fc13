/** Tests `octavo dev --mock` with the playground in a browser. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, RunningDev } from '../../testing/dev/running-dev.ts'

const CHROMIUM = '/usr/bin/chromium'
const MOCK = '/_octavo/dev/mock/api%2Fplants.yaml'
const PLANTS = (example: string) => `openapi: 3.1.0
info: {title: Plants, version: '1'}
servers: [{url: https://api.example.com/v1}]
paths:
  /plants:
    get:
      operationId: listPlants
      summary: List plants
      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}]
      responses: {'200': {description: All, content: {application/json: {example: [${example}]}}}}
`
const FILES = {
  'docs.json': JSON.stringify({
    name: 'Plants',
    navigation: { groups: [{ group: 'API', openapi: 'api/plants.yaml' }] },
  }),
  'api/plants.yaml': PLANTS('Basil'),
}

let dev: RunningDev
beforeAll(async () => {
  dev = await RunningDev.start(FILES, ['--mock'])
})
afterAll(() => dev[Symbol.asyncDispose]())

const get = (target: string) => fetch(`${dev.origin}${target}`)

describe('the mock of octavo dev --mock', () => {
  test('answers for a specification, and refuses what does not fit', async () => {
    expect(await (await get(`${MOCK}/plants`)).json()).toEqual(['Basil'])
    const refused = await get(`${MOCK}/plants?limit=101`)
    expect(refused.status).toBe(400)
    await eventually(
      () => Promise.resolve(dev.output),
      (text) => text.includes('400  GET /plants?limit=101  GET /plants'),
    )
  })

  test('has no operations of an unknown specification', async () => {
    expect((await get('/_octavo/dev/mock/other.yaml/plants')).status).toBe(404)
    expect((await get('/_octavo/dev/mock/%E0%A4%A/plants')).status).toBe(404)
  })

  test('follows edits', async () => {
    dev.write({ 'api/plants.yaml': PLANTS('Mint') })
    await eventually(
      async () => (await get(`${MOCK}/plants`)).text(),
      (text) => text.includes('Mint'),
    )
    dev.write({ 'api/plants.yaml': PLANTS('Basil') })
  })

  test('is not part of octavo dev without --mock', async () => {
    await using plain = await RunningDev.start(FILES)
    const response = await fetch(`${plain.origin}${MOCK}/plants`)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('Basil')
  })
})

describe.skipIf(!existsSync(CHROMIUM))(`the playground with --mock (needs ${CHROMIUM})`, () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
    page = await browser.newPage()
  })
  afterAll(() => browser.close())

  test('the playground sends its requests to the mock, and shows the server in code', async () => {
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto(`${dev.origin}/api-reference/list-plants`)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.oct-answer').getByText('Basil').waitFor()
    expect(sent).toContain(`${dev.origin}${MOCK}/plants`)
    expect(await page.locator('.oct-playground').innerText()).toContain(
      'https://api.example.com/v1',
    )
  })
})
