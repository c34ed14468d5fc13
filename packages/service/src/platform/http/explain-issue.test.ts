import { expect, test } from 'vitest'
import { z } from 'zod'
import { explainIssue } from './explain-issue.ts'

const SCHEMA = z.strictObject({
  name: z.string().min(3).max(5).optional(),
  count: z.number().int().min(1).max(9).optional(),
  list: z.array(z.string()).min(1).optional(),
  kind: z.enum(['site', 'preview']).optional(),
  isOpen: z.boolean().optional(),
  inner: z.looseObject({}).optional(),
  url: z.url().optional(),
  own: z.string({ error: 'Expected a date such as 2026-01-31.' }).optional(),
})

test.each([
  [{ name: 5 }, 'Expected a text.'],
  [{ name: 'ab' }, 'Expected at least 3 characters.'],
  [{ name: 'abcdef' }, 'Expected at most 5 characters.'],
  [{ count: '1' }, 'Expected a number.'],
  [{ count: 1.5 }, 'Expected a whole number.'],
  [{ count: 0 }, 'Expected at least 1.'],
  [{ count: 10 }, 'Expected at most 9.'],
  [{ list: [] }, 'Expected at least 1 entry.'],
  [{ list: {} }, 'Expected a list.'],
  [{ kind: 'x' }, 'Expected `site` or `preview`.'],
  [{ isOpen: 1 }, 'Expected true or false.'],
  [{ inner: 'x' }, 'Expected an object.'],
  [{ url: 'x' }, 'Expected a URL, such as https://example.com.'],
  [{ nmae: 'x' }, 'Unknown field `nmae`.'],
  [{ own: 5 }, 'Expected a date such as 2026-01-31.'],
  [[], 'Expected an object.'],
])('the body %j is rejected with the message %j', (body, message) => {
  expect(SCHEMA.safeParse(body, { error: explainIssue }).error?.issues[0]?.message).toBe(message)
})

test('the message for a missing field says that the field is required', () => {
  const { error } = z.object({ root: z.string() }).safeParse({}, { error: explainIssue })
  expect(error?.issues[0]?.message).toBe('This field is required: a text.')
})
