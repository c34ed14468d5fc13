import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'

const PAGE = `/projects/${PROJECT_ID}/conversations`
const API = `/v1${PAGE}`
const reply = (list: object) => ({
  replies: {
    [`GET ${API}`]: () =>
      Response.json({
        conversations: [],
        nextCursor: null,
        total: null,
        searchedTo: null,
        retentionDays: 30,
        ...list,
      }),
  },
})

describe('the list of conversations', () => {
  test('the list of conversations shows their number, their retention and the known categories', async () => {
    const { text } = await visitScreen(PAGE)
    expect(text).toContain('<b>2,033 conversations</b>')
    expect(text).toContain('Kept for 730 days.')
    expect(text).toContain('Newest first, 5 of 2,033')
    expect(text).toContain('<option value="Reference">Reference</option>')
    const other = await visitScreen(`${PAGE}?queryCategory=gone`)
    expect(other.text).toContain('<option value="gone" selected>gone</option>')
  })

  test('a person can go to older conversations, and back to newer ones page by page', async () => {
    const linksOf = async (query: string) => {
      const { text } = await visitScreen(`${PAGE}${query}`)
      const pager = text.slice(text.indexOf('class="pager"'))
      return [...pager.matchAll(/href="([^"]*)"/g)]
        .map(([, href = '']) => href.replaceAll('&amp;', '&'))
        .slice(0, 2)
    }
    const [older] = await linksOf('?feedback=none')
    expect(older).toBe(`${PAGE}?feedback=none&cursor=older`)
    expect(await linksOf('?cursor=b')).toEqual([PAGE, `${PAGE}?cursor=older&before=b`])
    expect(await linksOf('?cursor=c&before=a.b')).toEqual([
      `${PAGE}?cursor=b&before=a`,
      `${PAGE}?cursor=older&before=a.b.c`,
    ])
    const { text } = await visitScreen(PAGE)
    expect(text).toMatch(/<span class="button small" aria-disabled="true">.*?Newer<\/span>/)
  })

  test('a search for conversations without a match says how far back it searched, and can be continued', async () => {
    const searched = reply({ nextCursor: 'c', searchedTo: '2026-09-03T10:00:00.000Z' })
    const { text } = await visitScreen(`${PAGE}?text=zebra`, undefined, searched)
    expect(text).toContain('No match back to 3 Sep 2026')
    expect(text).toContain('Searched back to 3 Sep 2026, 10:00 UTC')
    expect(text).toMatch(/href="[^"]*text=zebra&amp;cursor=c">Search further/)
    const none = await visitScreen(`${PAGE}?text=zebra`, undefined, reply({}))
    expect(none.text).toContain('No matching conversations')
  })
})
