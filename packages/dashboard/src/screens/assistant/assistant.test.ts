import type { AssistantReply } from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { recordApi } from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'

const PAGE = `/projects/${PROJECT_ID}/assistant`
const API = `/v1${PAGE}`

async function withSettings(own: Partial<AssistantReply>) {
  const settings = (await (await recordApi().api('GET', API)).json()) as AssistantReply
  const replies = { [`GET ${API}`]: () => Response.json({ ...settings, ...own }) }
  return (await visitScreen(PAGE, undefined, { replies })).text
}

const use = (tokens: number, tokensMax: number | null) => ({
  questions: 1,
  cached: 0,
  tokens,
  tokensMax,
})

describe('assistant settings', () => {
  test('the assistant page starts with the state: off, or on with a model or quotations', async () => {
    expect(await withSettings({})).toContain('<h2>On, with qwen3-32b</h2>')
    expect(await withSettings({ isOn: false })).toContain('<h2>Off</h2>')
    expect(await withSettings({ model: null })).toContain('<h2>On, with quotations</h2>')
    expect(await withSettings({ model: null, serviceModel: 'gpt-5-mini' })).toContain(
      '<h2>On, with gpt-5-mini (provided by the service)</h2>',
    )
    expect(await withSettings({ month: use(10, 10) })).toContain(
      '<h2>On, with quotations until the budget renews</h2>',
    )
    expect(await withSettings({ today: use(10, null) })).toContain('<h2>On, with qwen3-32b</h2>')
  })

  test('only the fields of the selected answer mode are saved', async () => {
    const form = { url: 'https://models.example/v1', model: 'x', format: 'openai', mask: 'on' }
    const own = await visitScreen(PAGE, { mode: 'model', ...form })
    expect(own.changes).toMatchObject([{ body: { model: { model: 'x', format: 'openai' } } }])
    const none = await visitScreen(PAGE, { mode: 'none', ...form })
    expect(none.changes).toMatchObject([{ body: { model: null, mask: true } }])
    expect(none.location).toBe(`${PAGE}?saved`)
  })

  test('a stored key of the model is shown as saved, with an empty field to replace it', async () => {
    const { text } = await visitScreen(PAGE)
    expect(text).toContain('<span>Saved</span>')
    expect(text).toContain('Require proof of work (slows bots)')
    expect(text).not.toMatch(/name="key"[^>]*value="[^"]/)
  })
})
