import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import type { ApiOptions } from '../../../testing/recorded-api.ts'
import { PROJECT_ID, ULIDS } from '../../../testing/sample-facts.ts'

const PATH = `/projects/${PROJECT_ID}/deployments`
const open = (query: string, options?: ApiOptions) => visitScreen(PATH + query, undefined, options)

const replyWith = (nextCursor: string | null): ApiOptions => ({
  replies: {
    [`GET /v1${PATH}`]: () => Response.json({ deployments: [], nextCursor }),
  },
})

describe('the list of deployments', () => {
  test('the author of each deployment is in a column', async () => {
    const { text } = await open('')
    expect(text).toMatch(/<th scope="col" role="columnheader">\s*Author\s*<\/th>/)
    expect(text).toMatch(/<td role="cell" class="author-cell"\s*>\s*Jonas Lindqvist\s*<\/td>/)
  })

  test('deployments can be filtered by state and text, and the next page keeps the filter', async () => {
    const { text, calls } = await open('?state=failed&q=price+list')
    expect(calls.at(-1)?.path).toBe(`/v1${PATH}?state=failed&q=price+list`)
    expect(text).toContain('<option value="failed" selected>Failed</option>')
    expect(text).toContain('value="price list"')
    expect(text).toContain(`href="${PATH}?state=failed&amp;q=price+list&amp;cursor=older"`)
  })

  test('an unknown state is ignored', async () => {
    const { calls } = await open('?state=lost')
    expect(calls.at(-1)?.path).toBe(`/v1${PATH}`)
  })

  test('a filter without a match says so, and offers the older deployments that were not searched yet', async () => {
    const { text } = await open('?state=failed', replyWith(null))
    expect(text).toContain('No matching deployments')
    expect(text).toContain(`href="${PATH}">Show all</a>`)
    const more = await open('?q=needle', replyWith('older'))
    expect(more.text).toContain('Choose “Older” to search further.')
    expect(more.text).toContain('cursor=older')
  })

  test('a project without deployments shows how to deploy, without a filter', async () => {
    const { text } = await open('', { isEmpty: true })
    expect(text).toContain('No deployments yet')
    expect(text).not.toContain('role="search"')
  })
})

describe('changes of the API of a deployment', () => {
  const ONE = `${PATH}/${ULIDS.ready}`
  const show = (changes?: object) =>
    visitScreen(ONE, undefined, {
      ...(changes !== undefined && {
        replies: { [`GET /v1${ONE}/api-changes`]: () => Response.json(changes) },
      }),
    })
  const NONE = {
    pending: false,
    base: ULIDS.live,
    baseNumber: 1184,
    breaking: 0,
    additive: 0,
    documentation: 0,
    specifications: [],
  }

  test('the card counts the changes and lists them in sentences, breaking ones first', async () => {
    const { text } = await show()
    expect(text).toContain(
      'Compared with #1184: 1 breaking, 2 additive, 1 change of the documentation',
    )
    expect(text).toMatch(
      /Breaking.*GET \/sensors, POST \/sensors, GET \/sensors\/\{id\} and 2 more/s,
    )
    expect(text).toContain('The query parameter <code>garden</code> is now required.')
  })

  test('changes of a specification that only some readers may read are only counted', async () => {
    const { text } = await show()
    expect(text).toContain('internal.yaml: only some readers may read it')
  })

  test('a deployment that does not change the API has no such card, and a pending one says so', async () => {
    expect((await show(NONE)).text).not.toContain('of the documentation')
    expect((await show({ ...NONE, pending: true })).text).toContain('Comparing the specifications')
    const problem = 'Comparing the specifications took too much.'
    expect((await show({ ...NONE, problem })).text).toContain(problem)
  })
})
