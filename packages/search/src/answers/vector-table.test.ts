import { expect, test } from 'vitest'
import { VectorTable } from './vector-table.ts'

test('a section is as near as its nearest vector, whatever the length of vectors', () => {
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
