import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENTRIES } from './campaign/table/entries.ts'
import { findEntry, labEntries } from './parts/lab-entries.ts'

const LINE_LENGTH_MAX = 100

test.each(labEntries().map((entry) => [entry.name, entry] as const))(
  'the lab program %s has a short sentence as its description in the list',
  (_, { line }) => {
    expect(line).toMatch(/^[A-Z].*\.$/)
    expect(line.length).toBeLessThanOrEqual(LINE_LENGTH_MAX)
  },
)

test('a lab program is found by its name, with or without its kind', () => {
  expect(findEntry('bench/host').file).toMatch(/lab\/bench\/host\.ts$/)
  expect(findEntry('host').name).toBe('bench/host')
})

test.each([
  ['build', 'The lab has no "build". Did you mean bench/build, corpus/build?'],
  ['hots', 'The lab has no "hots". Did you mean bench/host?'],
  [
    'soak:deploy',
    'The lab has no "soak:deploy". Did you mean soak/deploy-atomic, soak/deploy-faults?',
  ],
  ['zebra', 'The lab has no "zebra". See `npm run lab`.'],
])('the unknown name %s is rejected with suggestions', (name, message) => {
  expect(() => findEntry(name)).toThrow(message)
})

test('the campaign refers only to existing files', () => {
  const named = ENTRIES.flatMap(({ file, command }) => [
    file,
    ...command.filter((word) => word.endsWith('.test.ts')),
  ])
  const root = join(import.meta.dirname, '..')
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
