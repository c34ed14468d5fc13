/** Tests the scripts that the service adds to pages, as readers receive them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
let site: AssistantSite
beforeAll(async () => {
  service = await startAssistantService()
  site = await newAssistantSite(service)
})
afterAll(() => service.stop())

const scriptOf = async ({ call }: Pick<AssistantSite, 'call'>) =>
  (await call('GET', '/_octavo/host.js')).text
/** Matches a script with the MCP entries of the page menu, but without the assistant. */
const PLAIN =
  /^\/\/ octavo-service\n;\(async \(\) => \{\nconst mcp = [\s\S]*showMcp\(\)\n\n\}\)\(\)\n(?:;\(async \(\) => \{\nvar[^\n]*octavo-event[^\n]*\n\n\}\)\(\)\n)?$/
const panelIn = (script: string) => /panel-[\da-f]{12}/.exec(script)?.[0] ?? ''

describe('the host script and the assistant', () => {
  test('the host script contains the assistant with texts in the languages of the site', async () => {
    const script = await scriptOf(site)
    expect(script).toContain('const ASK_WORDS={"en":"Ask"}')
    expect(panelIn(script)).not.toBe('')
  })

  test('invalid languages in a deployment do not make the host script longer', async () => {
    const built = await builtSite(GARDEN)
    const names = ['de', ...Array.from({ length: 5_000 }, (_, index) => `x${index}`)]
    const root = built.root.replace(
      /"languages": \[[^\]]*\]/,
      () => `"languages": ${JSON.stringify(names)}`,
    )
    expect(root).not.toBe(built.root)
    const script = await scriptOf(await newAssistantSite(service, { ...built, root }))
    expect(script).toContain('const ASK_WORDS={"en":"Ask","de":"Fragen"}')
  })

  test('the host script does not contain the assistant if docs.json or the project disables it', async () => {
    const config = { ...JSON.parse(GARDEN['docs.json']), assistant: { enabled: false } }
    const off = await builtSite({ ...GARDEN, 'docs.json': JSON.stringify(config) })
    expect(await scriptOf(await newAssistantSite(service, off))).toMatch(PLAIN)
    const other = await newAssistantSite(service)
    await service.owner.query('insert into assistant (project_id, is_on) values ($1, false)', [
      other.project.id,
    ])
    expect(await scriptOf(other)).toMatch(PLAIN)
  })
})

describe('the host script and reader events', () => {
  const configured = async (more: object) => {
    const config = { ...JSON.parse(GARDEN['docs.json']), assistant: { enabled: false }, ...more }
    return newAssistantSite(
      service,
      await builtSite({ ...GARDEN, 'docs.json': JSON.stringify(config) }),
    )
  }

  test('the host script sends events of readers unless docs.json disables telemetry', async () => {
    expect(await scriptOf(site)).toContain('octavo-event')
    const off = await configured({ integrations: { telemetry: { enabled: false } } })
    expect(await scriptOf(off)).not.toContain('octavo-event')
    expect(await scriptOf(off)).toMatch(PLAIN)
  })

  test('the feedback script is in the language of the page and can be cached forever', async () => {
    const asking = await configured({ feedback: { thumbsRating: true } })
    const [name] = /feedback-[\da-f]{12}/.exec(await scriptOf(asking)) ?? []
    const get = (file: string) => asking.call('GET', `/_octavo/assistant/${file}`)
    const { status, headers, text } = await get(`${name}-de.js`)
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect(text).toContain('War diese Seite hilfreich?')
    expect((await get(`${name}-xx.js`)).text).toContain('Was this page helpful?')
    const before = await get('feedback-000000000000-de.js')
    expect([before.status, before.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect((await get('feedback-x-de.js')).status).toBe(404)
    const page = await asking.call('GET', '/water')
    expect(page.text).toContain('<main id="content" data-feedback="page">')
  })
})

describe('the assistant panel script', () => {
  const get = (name: string, headers = {}) =>
    site.call('GET', `/_octavo/assistant/${name}`, { headers })

  test('the panel script is in the language of the page and can be cached forever', async () => {
    const name = panelIn(await scriptOf(site))
    const { status, headers, text } = await get(`${name}-de.js`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(text).toContain('"askTitle":"Assistent"')
    expect((await get(`${name}-xx.js`)).text).toContain('"askTitle":"Assistant"')
    const { etag = '' } = headers
    expect((await get(`${name}-de.js`, { 'if-none-match': etag })).status).toBe(304)
  })

  test('a panel script of another version is replaced by the current one, which is not cached', async () => {
    const { status, headers } = await get('panel-000000000000-en.js')
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache'])
  })

  test.each(['panel-x-en.js', 'panel-000000000000-en.json', 'panel-000000000000-../x.js'])(
    'a panel script named %s does not exist',
    async (name) => {
      expect((await get(name)).status).toBe(404)
    },
  )

  test('a POST request for the panel script is rejected', async () => {
    expect((await site.call('POST', '/_octavo/assistant/panel-000000000000-en.js')).status).toBe(
      404,
    )
  })
})
