import { expect, test } from 'vitest'
import { VectorTable } from './vector-table.ts'

test('the cosine of a section is that of its nearest vector, independent of vector length', () => {
  const table = new VectorTable([
    { section: 0, vector: Int8Array.of(0, 100) },
    { section: 0, vector: Int8Array.of(50, 0) },
    { section: 2, vector: Int8Array.of(-9, 0) },
  ])
  const near = table.compare(Int8Array.of(3, 0), { sections: 3, none: 0 })
  expect([...near]).toEqual([1, 0, -1])
  const none = new VectorTable([]).compare(Int8Array.of(1), { sections: 1, none: 0 })
  expect([...none]).toEqual([0])
})

test.each([1, 7, 8, 384, 1_536])(
  'cosines of vectors with %i numbers equal those of a simple computation',
  (size) => {
    let state = size
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return (state % 255) - 127
    }
    const rows = Array.from({ length: 37 }, (_, section) => ({
      section,
      vector: Int8Array.from({ length: size }, next),
    }))
    const question = Int8Array.from({ length: size }, next)
    const dot = (a: Int8Array, b: Int8Array) =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    const expected = rows.map(({ vector }) => {
      const lengths = Math.sqrt(dot(vector, vector)) * Math.sqrt(dot(question, question))
      return dot(vector, question) / (lengths || 1)
    })
    const near = new VectorTable(rows).compare(question, { sections: 37, none: 0 })
    for (const [section, cosine] of near.entries())
      expect(cosine).toBeCloseTo(expected[section] ?? 9, 12)
  },
)

test('the largest possible products of vectors do not overflow', () => {
  const vector = new Int8Array(8_192).fill(-128)
  const near = new VectorTable([{ section: 0, vector }]).compare(vector, { sections: 1, none: 0 })
  expect(near[0]).toBeCloseTo(1, 12)
})
