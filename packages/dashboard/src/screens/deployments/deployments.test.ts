import { describe, expect, test } from 'vitest'
import { visitScreen } from '../../../testing/create-dashboard.ts'
import type { ApiOptions } from '../../../testing/recorded-api.ts'
import { PROJECT_ID } from '../../../testing/sample-facts.ts'

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
