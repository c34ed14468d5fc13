import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import { problemToResponse } from '../../../testing/recorded-api.ts'
import { PROJECT_ID, ULIDS } from '../../../testing/sample-facts.ts'

const GAPS = `/projects/${PROJECT_ID}/gaps`
const API = `/v1${GAPS}`
const GAP_STATES = encodeURIComponent('open,linked,likely,verified')
const readPath = ({ calls }: Awaited<ReturnType<typeof visitScreen>>) =>
  calls.find(({ path }) => path.startsWith(API))?.path

describe('the list', () => {
  test('gaps are sorted by their number of questions, and each column heading links to its order', async () => {
    const reply = await visitScreen(GAPS)
    expect(readPath(reply)).toBe(`${API}?sort=-questions&state=${GAP_STATES}`)
    expect(reply.text.match(/aria-sort="\w+"/g)).toEqual(['aria-sort="descending"'])
    expect(reply.text).toContain(`href="${GAPS}?sort=questions"`)
    expect(reply.text).toContain(`href="${GAPS}?sort=-lastAsked"`)
    expect(reply.text).toContain(`href="${GAPS}?sort=state"`)
  })

  test('the filter of gaps is read from the address, and unknown fields and values are ignored', async () => {
    const reply = await visitScreen(
      `${GAPS}?state=open&sort=lastAsked&min=2&days=30&noise=x&cursor=c&other=1`,
    )
    const query = new URLSearchParams(readPath(reply)?.split('?')[1])
    expect([...query.keys()].toSorted()).toEqual(['askedSince', 'cursor', 'min', 'sort', 'state'])
    expect(reply.text.match(/aria-sort="\w+"/g)).toEqual(['aria-sort="ascending"'])
    expect(readPath(await visitScreen(`${GAPS}?sort=evil`))).toBe(
      `${API}?sort=-questions&state=${GAP_STATES}`,
    )
  })

  test('gaps can be searched by text, and the search is kept in forms and links', async () => {
    const visit = await visitScreen(`${GAPS}?q=join+keys`)
    expect(readPath(visit)).toContain('q=join+keys')
    expect(visit.text).toMatch(
      /type="search"[^>]*value="join keys"|value="join keys"[^>]*type="search"/,
    )
    expect(visit.text).toMatch(/q=join\+keys&amp;(?:state=&amp;)?sort=questions/)
  })

  test('unreadable questions are counted, with a link to them', async () => {
    const { text } = await visitScreen(GAPS)
    expect(text).toContain('38 unreadable questions, such as “asdfgh”, are filtered out.')
    expect(text).toContain(`href="${GAPS}?sort=-lastAsked&amp;noise=only"`)
    expect(readPath(await visitScreen(`${GAPS}?noise=only`))).toContain('noise=only')
  })

  test('the navigation of every screen shows the number of open gaps, and no zero', async () => {
    const count = '<span class="count">7<span class="sr-only"> open</span></span>'
    expect((await visitScreen(GAPS.replace('/gaps', '/domains'))).text).toContain(count)
    const { text } = await visitScreen(GAPS, undefined, { isEmpty: true })
    expect(text).not.toMatch(/class="count">\d+<span class="sr-only"> open/)
  })

  test('people who may only read gaps cannot select rows', async () => {
    const { text } = await visitScreen(GAPS, undefined, { role: 'viewer' })
    expect(text).not.toContain('type="checkbox"')
    expect(text).not.toContain('name="do"')
  })
})

describe('changes', () => {
  test('the page after a change of gaps has the same filter and a toast with Undo', async () => {
    const sent = await visitScreen(`${GAPS}/changes`, {
      gap: ['a', 'b'],
      do: 'verify',
      query: 'state=open&sort=-lastAsked&evil=1',
    })
    expect(sent.changes).toMatchObject([{ body: { action: 'verify', ids: ['a', 'b'] } }])
    expect(sent.location).toBe(`${GAPS}?state=open&sort=-lastAsked&changed=${ULIDS.gap}`)
    const { text } = await visitScreen(sent.location ?? '')
    expect(text).toContain('“Who is the CEO?” and 3 others are marked as not a gap.')
    expect(text).toContain(`action="${GAPS}/changes/${ULIDS.gap}/undo"`)
    const undone = await visitScreen(`${GAPS}/changes/${ULIDS.gap}/undo`, {
      query: `state=open&sort=-lastAsked&changed=${ULIDS.gap}`,
    })
    expect(undone.location).toBe(sent.location)
  })

  test('a button in the row of a gap changes only this gap', async () => {
    const { changes } = await visitScreen(`${GAPS}/changes`, { gap: ['a', 'b'], only: 'dismiss.c' })
    expect(changes).toMatchObject([{ body: { action: 'dismiss', ids: ['c'] } }])
  })

  test('linking gaps asks for a page first, and shows the reason if the API rejects it', async () => {
    const asked = await visitScreen(`${GAPS}/changes`, { gap: ['a', 'b'], do: 'link' })
    expect(asked.changes).toEqual([])
    expect(asked.text).toContain('Link a page to 2 gaps')
    expect(asked.text).toContain('<input type="hidden" name="gap" value="b">')
    const form = { gap: 'a', do: 'link', page: 'x' }
    const refused = await visitScreen(`${GAPS}/changes`, form, {
      replies: {
        [`POST ${API}/changes`]: () =>
          problemToResponse(400, { detail: 'Expected the path of a page.', param: 'page' }),
      },
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Expected the path of a page.')
    expect(refused.text).toContain('value="x"')
  })

  test('a form without a selected gap or with an unknown action changes nothing', async () => {
    const none = await visitScreen(`${GAPS}/changes`, { do: 'dismiss' })
    expect([none.status, none.changes]).toEqual([400, []])
    expect(none.text).toContain('No gap is selected.')
    const unknown = await visitScreen(`${GAPS}/changes`, { do: 'explode', gap: 'a' })
    expect([unknown.location, unknown.changes]).toEqual([GAPS, []])
  })

  test('a change of gaps that no longer exists has no toast with Undo', async () => {
    const gone = { [`GET ${API}/changes/x`]: () => problemToResponse(404) }
    const { status, text } = await visitScreen(`${GAPS}?changed=x`, undefined, { replies: gone })
    expect([status, text.includes('class="toast"')]).toEqual([200, false])
  })
})
