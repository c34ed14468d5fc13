import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PageTerms } from './page-terms.ts'
import { countTerms, packTermUse, recountTerms, unpackTermUse } from './term-counts.ts'
import { TermTable } from './term-table.ts'

const words = fc.array(fc.constantFrom('rose', 'fern', 'moss', 'oak', 'oak_leaf', 'bud'), {
  maxLength: 6,
})
const section = fc.record({ heading: words, text: words })
const pages = fc.array(fc.array(section, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
})

type Sections = readonly { readonly heading: readonly string[]; readonly text: readonly string[] }[]

function encoder(table: TermTable) {
  const terms = new PageTerms(table)
  return (sections: Sections) =>
    terms.encode(
      {
        title: sections[0]?.heading.join(' ') ?? '',
        description: undefined,
        sidebarTitle: undefined,
        keywords: undefined,
        operation: undefined,
      },
      sections.map(({ heading, text }, index) => ({
        id: String(index),
        heading: heading.join(' '),
        text: text.join(' '),
      })),
    )
}

test('counting only the changed pages has the same result as counting all pages', () => {
  fc.assert(
    fc.property(pages, pages, (first, edits) => {
      const table = new TermTable()
      const encode = encoder(table)
      const before = first.map(encode)
      const use = countTerms({ pages: before, terms: table.terms })
      const now = before.map((page, index) => {
        const edit = edits[index]
        return edit === undefined ? page : encode(edit)
      })
      const changed = now.flatMap((page, index) =>
        index < edits.length ? [{ index, before: before[index] ?? page, now: page }] : [],
      )
      const recounted = recountTerms(use, changed, table.terms)
      const whole = countTerms({ pages: now, terms: table.terms })
      const hasSameSections = edits
        .slice(0, first.length)
        .every((edit, index) => edit.length === first[index]?.length)
      if (hasSameSections) expect(recounted).toEqual(whole)
      else expect(recounted).toBe(undefined)
    }),
  )
})

test('stored counts are the same when they are read, and damaged ones are rejected', () => {
  const table = new TermTable()
  const page = encoder(table)([{ heading: ['rose'], text: ['moss', 'oak_leaf'] }])
  const use = countTerms({ pages: [page, page], terms: table.terms })
  const packed = packTermUse(use)
  const count = table.terms.length
  expect(unpackTermUse(packed, count)).toEqual({ ...use, order: Uint32Array.from(use.order) })
  expect(unpackTermUse(packed.subarray(1), count)).toBe(undefined)
  expect(unpackTermUse(packed, count - 1)).toBe(undefined)
})
