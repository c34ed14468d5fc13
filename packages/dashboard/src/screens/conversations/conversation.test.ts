import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { problemToResponse } from '../../../testing/recorded-api.ts'
import { PROJECT_ID, ULIDS } from '../../../testing/sample-facts.ts'

const PAGE = `/projects/${PROJECT_ID}/conversations/${ULIDS.conversation}`
const API = `/v1/projects/${PROJECT_ID}`

describe('a conversation', () => {
  test('the answer of a conversation is rendered as readers saw it, with links to the site', async () => {
    const { text } = await visitScreen(PAGE)
    expect(text).toContain('<strong>one join key</strong>')
    expect(text).toContain('href="https://docs.greenhouse.example/network/joining#keys"')
    expect(text).toContain('<ol start="1">')
    expect(text).toMatch(/<a class="cite" [^>]*aria-label="1: Joining a network">1<\/a>/)
  })

  test('each retrieved page of a conversation is listed once, as cited or read', async () => {
    const { text } = await visitScreen(PAGE)
    const table = text.slice(text.indexOf('Pages that the search retrieved'))
    expect(table.match(/Cited/g)).toHaveLength(1)
    expect(table.match(/\/network\/joining#keys<\/span>/g)).toHaveLength(1)
    expect(table).toContain('Read')
  })

  test('an unanswered conversation links to its gap and shows the number of questions in it', async () => {
    const { text } = await visitScreen(PAGE)
    expect(text).toContain('It is one of 27 in the gap')
    expect(text).toContain(`/projects/${PROJECT_ID}/gaps/${ULIDS.gap.slice(0, -1)}1"`)
    expect(text).not.toContain('Create a gap')
  })

  test('an owner can create a gap from a conversation and link a page to it', async () => {
    const reply = await visitScreen(`${PAGE}/gap`, {})
    expect(reply.changes).toMatchObject([
      { path: `${API}/gaps`, body: { conversation: ULIDS.conversation } },
    ])
    expect(reply.location).toBe(`${PAGE}?added`)
    const none = { [`GET ${API}/gaps/${ULIDS.gap}`]: () => problemToResponse(404) }
    const { text } = await visitScreen(PAGE, undefined, { replies: none })
    expect(text).toContain('Create a gap')
    expect(text).toContain('name="page"')
    const viewer = await visitScreen(PAGE, undefined, { replies: none, role: 'analyst' })
    expect(viewer.text).not.toContain('Create a gap')
  })

  test('if the linked page of a gap is rejected, the form shows the reason', async () => {
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
