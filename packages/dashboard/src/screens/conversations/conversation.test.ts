import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { problemToResponse } from '../../../testing/recorded-api.ts'
import { PROJECT_ID, ULIDS } from '../../../testing/sample-facts.ts'

const PAGE = `/projects/${PROJECT_ID}/conversations/${ULIDS.conversation}`
const API = `/v1/projects/${PROJECT_ID}`

describe('a conversation', () => {
  test('the answer is rendered as readers saw it, with links to the site', async () => {
    const { text } = await visitScreen(PAGE)
    expect(text).toContain('<strong>one join key</strong>')
    expect(text).toContain('href="https://docs.greenhouse.example/network/joining#keys"')
    expect(text).toContain('<ol start="1">')
    expect(text).toMatch(/<a class="cite" [^>]*aria-label="1: Joining a network">1<\/a>/)
  })

  test('pages that were retrieved are listed once, cited or read', async () => {
    const { text } = await visitScreen(PAGE)
    const table = text.slice(text.indexOf('Pages that were retrieved'))
    expect(table.match(/Cited/g)).toHaveLength(1)
    expect(table.match(/\/network\/joining#keys<\/span>/g)).toHaveLength(1)
    expect(table).toContain('Read')
  })

  test('its gap is named with the number of its questions', async () => {
    const { text } = await visitScreen(PAGE)
    expect(text).toContain('It is one of 27 in the gap')
    expect(text).toContain(`/projects/${PROJECT_ID}/gaps/${ULIDS.gap.slice(0, -1)}1"`)
    expect(text).not.toContain('Make a gap')
  })

  test('a conversation without a gap can be made one, and its page linked', async () => {
    const reply = await visitScreen(`${PAGE}/gap`, {})
    expect(reply.changes).toMatchObject([
      { path: `${API}/gaps`, body: { conversation: ULIDS.conversation } },
    ])
    expect(reply.location).toBe(`${PAGE}?added`)
    const none = { [`GET ${API}/gaps/${ULIDS.gap}`]: () => problemToResponse(404) }
    const { text } = await visitScreen(PAGE, undefined, { replies: none })
    expect(text).toContain('Make a gap')
    expect(text).toContain('name="page"')
    const viewer = await visitScreen(PAGE, undefined, { replies: none, role: 'analyst' })
    expect(viewer.text).not.toContain('Make a gap')
  })

  test('a page that is refused is explained next to its field', async () => {
    const detail = 'Expected the path of a page, such as /guides/start.'
    const { status, text } = await visitScreen(
      `${PAGE}/gap`,
      { page: 'x' },
      {
        replies: { [`POST ${API}/gaps`]: () => problemToResponse(400, { detail, param: 'page' }) },
      },
    )
    expect(status).toBe(400)
    expect(text).toContain(detail)
  })
})
