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
const SINCE = 'dateFrom=2024-11-16'

const open = (path: string, options?: ApiOptions, form?: ScreenForm) =>
  visitScreen(`${PROJECT}/feedback${path}`, form, options)

async function ask<T>(schema: { parse(value: unknown): T }, path: string): Promise<T> {
  return schema.parse(await (await recordApi().api('GET', path)).json())
}

describe('the feedback inbox', () => {
  test("the inbox shows all fields of the API's feedback, in its order", async () => {
    const { text } = await open('')
    const { feedback } = await ask(FeedbackList, API)
    const items = [...text.matchAll(/<article class="feedback".*?<\/article>/gs)].map(
      ([one]) => one,
    )
    expect(items).toHaveLength(feedback.length)
    for (const [index, one] of feedback.entries()) {
      const item = items[index] ?? ''
      expect(item).toContain(`id="${one.id}"`)
      expect(item).toContain(`href="https://docs.greenhouse.example${one.path}"`)
      expect(item).toContain(`datetime="${one.createdAt}"`)
      for (const said of [one.comment, one.contact, one.code, one.filename, one.lang])
        if (said !== undefined) expect(item).toContain(said)
      expect(item.includes('Helpful</span>')).toBe(one.helpful === true)
      expect(item.includes('Not helpful</span>')).toBe(one.helpful === false)
    }
  })

  test("the inbox shows the API's totals by page", async () => {
    const { text } = await open('')
    const { feedback } = await ask(PageFeedbackList, `${API}/by-page`)
    const [table = ''] = /Feedback by page<\/caption>.*?<\/table>/s.exec(text) ?? []
    for (const { path, thumbsUp, thumbsDown, code, total } of feedback) {
      const [row = ''] = new RegExp(`${path}</a>.*?</tr>`, 's').exec(table) ?? []
      const numbers = [...row.matchAll(/">(\d+)<\/td>/g)].map(([, count]) => Number(count))
      expect(numbers).toEqual([thumbsUp, thumbsDown, code, total])
    }
  })

  test('the inbox is filtered by state and source and paged by the API', async () => {
    const { text, calls } = await open('?status=pending&source=agent&cursor=c1&x=1')
    expect(calls.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        `${API}?${SINCE}&status=pending&source=agent&cursor=c1`,
        `${API}/by-page?${SINCE}&status=pending&source=agent&limit=10`,
      ]),
    )
    expect(text).toContain('<option value="agent" selected>')
    expect(text).toContain(`href="${PROJECT}/feedback?status=resolved&amp;source=agent"`)
    expect(text).toContain('cursor=more')
  })

  test('an unknown filter is ignored', async () => {
    const { calls } = await open('?status=lost&source=%27')
    expect(calls.map(({ path }) => path)).toContain(`${API}?${SINCE}`)
  })

  test.each([
    '//evil.example/x',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:canary()',
    'water',
  ])('the untrusted page path %j is not a link', async (path) => {
    const one = { id: ULIDS.feedback, createdAt: new Date(NOW).toISOString() }
    const feedback = [{ ...one, path, source: 'agent', status: 'pending' }]
    const replies = {
      [`GET ${API}`]: () => Response.json({ feedback, nextCursor: null, hasMore: false }),
    }
    const { status, text } = await open('', { replies })
    expect(status).toBe(200)
    expect(text).toContain(`<h2><span class="main mono">${path}</span></h2>`)
    expect(text).not.toMatch(/href="[^"]*(?:evil|javascript)/)
  })

  test('a contact address is shown as text, not as a link', async () => {
    const { text } = await open('', { hostile: '"><a href=javascript:canary()>' })
    expect(text).not.toContain('mailto:')
    expect(text).toContain('sofia@greenhouse.example&quot;&gt;&lt;a href')
  })
})

describe('states of feedback', () => {
  test.each(['pending', 'in_progress', 'resolved', 'dismissed'])(
    'setting the state %s calls the API and returns to the same place in the list',
    async (state) => {
      const at = `/${ULIDS.feedback}?status=pending&cursor=c1`
      const { status, location, changes } = await open(at, {}, { state })
      expect(changes).toMatchObject([
        { method: 'POST', path: `${API}/${ULIDS.feedback}`, body: { status: state } },
      ])
      expect([status, location]).toEqual([
        303,
        `${PROJECT}/feedback?status=pending&cursor=c1#${ULIDS.feedback}`,
      ])
    },
  )

  test('each item offers the other three states', async () => {
    const { text } = await open('')
    const [item = ''] = /<article class="feedback".*?<\/article>/s.exec(text) ?? []
    const states = [...item.matchAll(/name="state" value="(\w+)"/g)].map(([, state]) => state)
    expect(states).toEqual(['in_progress', 'resolved', 'dismissed'])
  })

  test('an analyst can read feedback and sees no forms', async () => {
    const { status, text } = await open('', { role: 'analyst' })
    expect(status).toBe(200)
    const [, main = ''] = /<main(.*)<\/main>/s.exec(text) ?? []
    expect(main).not.toContain('method="post"')
    expect(main).not.toContain('Delete…')
  })

  test('an error is shown above the list', async () => {
    const replies = {
      [`POST ${API}/${ULIDS.feedback}`]: () =>
        problemToResponse(409, { detail: 'It is archived.' }),
    }
    const { status, text } = await open(`/${ULIDS.feedback}`, { replies }, { state: 'resolved' })
    expect(status).toBe(409)
    expect(text).toContain('It is archived.')
    expect(text).toContain('aria-label="Inbox"')
  })
})

describe('deleting feedback', () => {
  test('deleting asks for confirmation first', async () => {
    const asked = await open(`/${ULIDS.feedback}/delete?status=pending`)
    expect(asked.changes).toEqual([])
    expect(asked.text).toContain('The table of join keys ends at 250 sensors.')
    expect(asked.text).toContain('It cannot be undone.')
    const done = await open(`/${ULIDS.feedback}/delete?status=pending`, {}, {})
    expect(done.changes).toMatchObject([{ method: 'DELETE', path: `${API}/${ULIDS.feedback}` }])
    expect(done.location).toBe(`${PROJECT}/feedback?status=pending`)
  })

  test('feedback that is no longer listed can still be deleted', async () => {
    const { status, text } = await open('/01KG9YS7G0CPZHN1J3EKWGC1ZZ/delete')
    expect(status).toBe(200)
    expect(text).toContain('01KG9YS7G0CPZHN1J3EKWGC1ZZ')
    expect(text).not.toContain('join keys')
  })
})
