import { describe, expect, test } from 'vitest'
import { EMPTY_FRONTMATTER } from '../frontmatter/frontmatter-fields.ts'
import { type EntryContext, filePage } from './nav-page.ts'
import type { PageBacking } from './page-backing.ts'
import type { KnownPage } from './site-facts.ts'

const AROUND = { hidden: false } as EntryContext
const BACKING = {
  kind: 'operation',
  source: 'plants.yaml',
  listing: { method: 'GET', path: '/plants', title: 'List' },
} as unknown as PageBacking

function markerOf(fields: KnownPage['frontmatter']['fields'], backing?: PageBacking) {
  const frontmatter = { ...EMPTY_FRONTMATTER, fields }
  const page = { file: 'plants.mdx', path: 'plants', isPageOnlyWhenListed: false, frontmatter }
  return filePage('plants', page, AROUND, backing).marker
}

describe("the HTTP method next to a page's name", () => {
  test('a page shows the method of its operation', () => {
    expect(markerOf({ openapi: 'get /plants' }, BACKING)).toBe('GET')
  })

  test('a page shows the method from its frontmatter if the specification was not read', () => {
    expect(markerOf({ openapi: 'https://api.example/plants.yaml post /plants' })).toBe('POST')
    expect(markerOf({ api: 'DELETE https://api.example/plants/{id}' })).toBe('DELETE')
  })

  test('a page shows no method without an operation or if the page hides it', () => {
    expect(markerOf({ title: 'Get started' })).toBeUndefined()
    expect(markerOf({ openapi: 'get /plants', hideApiMarker: true }, BACKING)).toBeUndefined()
  })
})
