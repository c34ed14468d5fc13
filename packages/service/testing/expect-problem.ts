import { expect } from 'vitest'
import { PROBLEMS } from '../src/platform/problem.ts'
import type { RawResponse } from './send-raw.ts'

/** Reads the whole body of a `fetch` response. */
export async function readResponse(response: Response): Promise<RawResponse> {
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/**
 * Checks that the response is exactly the problem with this status, with `param` only if it is
 * given.
 */
export function expectProblem(
  reply: RawResponse | undefined,
  status: number,
  param?: string,
): void {
  expect(reply?.status).toBe(status)
  expect(reply?.headers.get('content-type')).toBe('application/problem+json')
  expect(reply?.headers.get('cache-control')).toBe('private, no-store')
  expect(reply?.headers.get('x-content-type-options')).toBe('nosniff')
  const requestId = reply?.headers.get('x-request-id')
  expect(requestId).toMatch(/^[\da-f-]{36}$/)
  const [code, known] =
    Object.entries(PROBLEMS).find(([, problem]) => problem.status === status) ?? []
  expect(JSON.parse(reply?.body ?? '')).toEqual({
    type: `/problems/${code}`,
    title: known?.title,
    status,
    code,
    detail: expect.stringMatching(/\S/),
    requestId,
    ...(param === undefined ? {} : { param }),
  })
}
