import { FeedbackList, PageFeedbackList } from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import {
  type ApiOptions,
  problemToResponse,
  recordApi,
  type ScreenForm,
} from '../../../testing/recorded-api.ts'
import { NOW, PROJECT_ID, ULIDS } from '../../../testing/sample-facts.ts'

const PROJECT = `/projects/${PROJECT_ID}`
const API = `/v1/analytics/${PROJECT_ID}/feedback`
const SINCE = 'dateFrom=2020-01-01'

const open = (path: string, options?: ApiOptions, form?: ScreenForm) =>
  visitScreen(`${PROJECT}/feedback${path}`, form, options)

async function ask<T>(schema: { parse(value: unknown): T }, path: string): Promise<T> {
  return schema.parse(await (await recordApi().api('GET', path)).json())
}

const NO_COUNTS = { pending: 0, in_progress: 0, resolved: 0, dismissed: 0 }

/** Returns the HTML of each comment. */
function rowsOf(text: string): readonly string[] {
  const [, list = ''] = /<ul class="voices">(.*)/s.exec(text) ?? []
  return (
    list
      .split('</section>')[0]
      ?.split(/(?=<li id=)/)
      .filter((item) => item.startsWith('<li id=')) ?? []
  )
}

describe('the feedback screen', () => {
  test.each([
    ['', 'pending'],
    ['?state=in_progress', 'in_progress'],
    ['?state=done', 'resolved,dismissed'],
  ])(
    'the feedback list %s shows all fields of the comments in the states %s, in the order of the API',
    async (query, states) => {
      const { text } = await open(query)
      const { feedback } = await ask(FeedbackList, `${API}?status=${states}`)
      const items = rowsOf(text)
      expect(items).toHaveLength(feedback.length)
      for (const [index, one] of feedback.entries()) {
        const item = items[index] ?? ''
        expect(item).toContain(`id="${one.id}"`)
        expect(item).toContain(`href="https://docs.greenhouse.example${one.path}"`)
        expect(item).toContain(`datetime="${one.createdAt}"`)
        for (const said of [one.comment, one.contact, one.code, one.filename, one.lang])
          if (said !== undefined) expect(item).toContain(said)
        expect(item.includes('>Helpful</span>')).toBe(one.helpful === true)
        expect(item.includes('>Not helpful</span>')).toBe(one.helpful === false)
      }
    },
  )

  test('each comment has one menu, and no buttons outside the menu', async () => {
    const { text } = await open('')
    for (const item of rowsOf(text)) {
      expect(item.match(/<details class="menu/g)).toHaveLength(1)
      expect(item.replace(/<details.*<\/details>/s, '')).not.toMatch(/<button|<form/)
    }
  })

  test('the votes of all pages can be downloaded as CSV, also of pages with few votes', async () => {
    expect((await open('')).text).toContain(`href="${PROJECT}/feedback/votes.csv" download`)
    const { text, headers, calls } = await open('/votes.csv')
    expect(headers.get('content-disposition')).toContain('filename="votes-2026-11-15.csv"')
    const { feedback } = await ask(PageFeedbackList, `${API}/by-page`)
    const [head, ...lines] = text.trim().split('\r\n')
    expect(head).toBe('path,thumbsUp,thumbsDown,code,comments,total')
    expect(lines.map((line) => line.split(',')[0])).toEqual(feedback.map(({ path }) => path))
    const reads = calls.filter(({ path }) => path.startsWith(`${API}/by-page`))
    expect(reads.map(({ path }) => path)).toEqual([
      `${API}/by-page?dateFrom=2026-08-18&sort=least-helpful&limit=100`,
      `${API}/by-page?dateFrom=2026-08-18&sort=least-helpful&limit=100&cursor=more`,
    ])
  })

  test('votes without a comment are not listed but counted by page, the least helpful page first', async () => {
    const { text, calls } = await open('')
    const paths = calls.map(({ path }) => path)
    expect(paths).toContain(`${API}?${SINCE}&commented=true&status=pending`)
    expect(paths).toContain(
      `${API}/by-page?dateFrom=2026-08-18&sort=least-helpful&minVotes=10&limit=8`,
    )
    const { feedback } = await ask(PageFeedbackList, `${API}/by-page`)
    const [, list = ''] = /<ul class="page-votes">(.*?)<\/ul>/s.exec(text) ?? []
    const pages = list.split('<li>').slice(1)
    expect(pages).toHaveLength(feedback.length)
    for (const [index, { path, thumbsUp, thumbsDown, comments }] of feedback.entries()) {
      const votes = thumbsUp + thumbsDown
      expect(pages[index]).toContain(`${path}</a>`)
      expect(pages[index]).toContain(`<b>${Math.round((thumbsUp / votes) * 100)}%</b>`)
      expect(pages[index]).toContain(`${votes} votes</span>`)
      expect(pages[index]).toContain(`${comments} comment`)
    }
  })

  test('the tabs of the feedback screen count comments that are open, in progress and done', async () => {
    const { text } = await open('?state=in_progress&source=agent')
    const [nav = ''] = /<nav class="tabs".*?<\/nav>/s.exec(text) ?? []
    const counts = [...nav.matchAll(/([A-Z][a-z ]+?) <span class="count">(\d+)/g)]
    expect(counts.map(([, label, count]) => [label, count])).toEqual([
      ['Open', '9'],
      ['In progress', '3'],
      ['Done', '62'],
    ])
    expect(nav).toContain(`href="${PROJECT}/feedback?state=done&amp;source=agent"`)
    expect(nav.match(/aria-current="page"/g)).toHaveLength(1)
  })

  test('the API filters comments by text, vote and source, and returns them in pages', async () => {
    const query = '?text=/api&vote=unhelpful&source=agent&cursor=c1&x=1'
    const { text, calls } = await open(query)
    const list = `${API}?${SINCE}&commented=true&status=pending&text=%2Fapi&helpful=false&source=agent`
    expect(calls.map(({ path }) => path)).toContain(`${list}&cursor=c1`)
    expect(text).toContain('<option value="agent" selected>')
    expect(text).toContain('<option value="unhelpful" selected>')
    expect(text).toContain('value="/api"')
    expect(text).toContain('vote=unhelpful&amp;source=agent&amp;cursor=more')
  })

  test('an unknown filter of feedback is ignored', async () => {
    const { calls } = await open('?state=lost&source=%27&vote=x')
    expect(calls.map(({ path }) => path)).toContain(`${API}?${SINCE}&commented=true&status=pending`)
  })

  test('the numbers of feedback are compared with the previous period', async () => {
    const { text } = await open('')
    expect(text).toContain('85.9% <span class="delta good">+1.9 pts</span>')
    expect(text).toContain('512 <span class="delta">+5%</span>')
    expect(text).toContain('74 <span class="delta">−9%</span>')
  })

  test('the feedback screen only says that feedback is kept until it is deleted', async () => {
    const { text } = await open('')
    expect(text).toContain('They are kept until you delete them.')
    expect(text).not.toMatch(/two years|2 years/)
  })

  test('without feedback, the feedback screen says what will appear', async () => {
    const { text } = await open('', { isEmpty: true })
    expect(text).toContain('No open comments')
    expect(text).toContain('Pages with 10 votes or more appear here.')
    expect(text).not.toContain('class="card statistics"')
    const filtered = await open('?text=x', { isEmpty: true })
    expect(filtered.text).toContain('No matching comments')
    expect(filtered.text).toContain(`href="${PROJECT}/feedback">Clear the filters</a>`)
  })

  test.each([
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:canary()',
    'water',
  ])('the untrusted path %j of feedback is not a link', async (path) => {
    const one = { id: ULIDS.feedback, createdAt: new Date(NOW).toISOString() }
    const feedback = [{ ...one, path, source: 'agent', status: 'pending' }]
    const replies = {
      [`GET ${API}`]: () =>
        Response.json({ feedback, counts: NO_COUNTS, nextCursor: null, hasMore: false }),
    }
    const { status, text } = await open('', { replies })
    expect(status).toBe(200)
    expect(text).toContain(`<span class="mono">${path}</span>`)
    expect(text).not.toMatch(/href="[^"]*(?:evil|javascript)/)
  })

  test('the contact address of feedback is shown as text, not as a link', async () => {
    const { text } = await open('', { hostile: '"><a href=javascript:canary()>' })
    expect(text).not.toContain('mailto:')
    expect(text).toContain('sofia@greenhouse.example&quot;&gt;&lt;a href')
  })
})

describe('states of feedback', () => {
  test.each(['pending', 'in_progress', 'resolved', 'dismissed'])(
    'setting the state %s calls the API and returns to the same list, with an Undo button',
    async (state) => {
      const at = `/${ULIDS.feedback}?state=done&cursor=c1`
      const { status, location, changes } = await open(at, {}, { state, was: 'pending' })
      expect(changes).toMatchObject([
        { method: 'POST', path: `${API}/${ULIDS.feedback}`, body: { status: state } },
      ])
      const change = `changed=${ULIDS.feedback}&now=${state}&was=pending`
      expect([status, location]).toEqual([
        303,
        `${PROJECT}/feedback?state=done&cursor=c1&${change}`,
      ])
      const { text } = await open(location?.replace(`${PROJECT}/feedback`, '') ?? '')
      const [undo = ''] = /<div class="toast".*?<\/form>/s.exec(text) ?? []
      expect(undo).toContain(`/feedback/${ULIDS.feedback}?state=done`)
      expect(undo).toContain('name="state" value="pending"')
      // The link to the next page of the list does not contain the change.
      expect(text).not.toMatch(/cursor=more[^"]*changed|changed[^"]*cursor=more/)
    },
  )

  test('the feedback screen after Undo offers no Undo', async () => {
    const { location } = await open(`/${ULIDS.feedback}`, {}, { state: 'pending' })
    expect(location).toBe(`${PROJECT}/feedback`)
  })

  test('each comment offers the other three states', async () => {
    const { text } = await open('')
    const [item = ''] = rowsOf(text)
    const states = [...item.matchAll(/name="state" value="(\w+)"/g)].map(([, state]) => state)
    expect(states).toEqual(['in_progress', 'resolved', 'dismissed'])
    expect([...item.matchAll(/<button>(.*?)<\/button>/g)].map(([, label]) => label)).toEqual([
      'Start work',
      'Mark as done',
      'Dismiss',
    ])
  })

  test('an analyst can read feedback and sees no forms', async () => {
    const { status, text } = await open('', { role: 'analyst' })
    expect(status).toBe(200)
    const [, main = ''] = /<main(.*)<\/main>/s.exec(text) ?? []
    expect(main).not.toContain('method="post"')
    expect(main).not.toContain('Delete…')
  })

  test('an error about a state of feedback is shown above the list', async () => {
    const replies = {
      [`POST ${API}/${ULIDS.feedback}`]: () =>
        problemToResponse(409, { detail: 'It is archived.' }),
    }
    const { status, text } = await open(`/${ULIDS.feedback}`, { replies }, { state: 'resolved' })
    expect(status).toBe(409)
    expect(text).toContain('It is archived.')
    expect(text).toContain('aria-label="Comments"')
  })
})

describe('deleting feedback', () => {
  test('feedback is only deleted after a confirmation', async () => {
    const asked = await open(`/${ULIDS.feedback}/delete`)
    expect(asked.changes).toEqual([])
    expect(asked.text).toContain('The table of join keys ends at 250 sensors.')
    expect(asked.text).toContain('This cannot be undone.')
    const done = await open(`/${ULIDS.feedback}/delete`, {}, {})
    expect(done.changes).toMatchObject([{ method: 'DELETE', path: `${API}/${ULIDS.feedback}` }])
    expect(done.location).toBe(`${PROJECT}/feedback`)
  })

  test('feedback that is not in the current list can still be deleted', async () => {
    const { status, text } = await open('/01KG9YS7G0CPZHN1J3EKWGC1ZZ/delete')
    expect(status).toBe(200)
    expect(text).toContain('01KG9YS7G0CPZHN1J3EKWGC1ZZ')
    expect(text).not.toContain('join keys')
  })
})
