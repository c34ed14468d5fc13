/** Tests that long text, which used to be slow, is read within a second. */
import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from './limits.ts'
import { readPlainYaml } from './read-plain-yaml.ts'

describe('reading time of plain YAML', () => {
  const MILLION = 1_000_000
  test.each([
    ['a million spaces', ' '.repeat(MILLION)],
    ['spaces after a value', `a: b${' '.repeat(MILLION)}`],
    ['spaces after a block indicator', `a: |${' '.repeat(MILLION)}x`],
    ['nested lists in one line', '- '.repeat(100_000)],
    ['nested brackets', '['.repeat(MILLION)],
    ['nested mappings', nestedMappings(1_000)],
    ['ten million characters in one line', `a: ${'x'.repeat(10 * MILLION)}`],
    ['ten million digits', `a: ${'1'.repeat(10 * MILLION)}`],
    ['colons without a space', `a: ${'x:'.repeat(MILLION)}x`],
    ['a million short lines', '-\n'.repeat(MILLION)],
    ['many entries', 'a: b\n'.repeat(100_000)],
    ['many comments', `a: b\n${'#\n'.repeat(MILLION)}c: d`],
    ['empty lines after each value', `a: b${'\n'.repeat(1_000)}`.repeat(1_000)],
    ['a plain text of many lines', `a:${'\n b'.repeat(MILLION / 4)}`],
    ['a quoted text of many lines', `a: "${'\n b'.repeat(MILLION / 4)}"`],
    ['many quotes', `a: '${"''".repeat(MILLION)}'`],
    ['many escapes', `a: "${'\\n'.repeat(MILLION)}"`],
    ['an unterminated quoted text', `a: "${'x\n '.repeat(MILLION)}`],
    ['a block text of many lines', `a: |\n${' b\n'.repeat(MILLION)}`],
    ['a block text of empty lines', `a: |+\n${'\n'.repeat(MILLION)}`],
    ['many block texts', 'a: |\n b\n'.repeat(100_000)],
    ['a long list in brackets', `[${'1,'.repeat(MILLION / 4)}]`],
    ['a list in brackets on many lines', `a: [${'\n x,'.repeat(MILLION / 4)}]`],
  ])('the plain YAML reader is fast for %s', (_, text) => {
    const started = performance.now()
    readPlainYaml(text, OPENAPI_LIMITS)
    expect(performance.now() - started).toBeQuick(1_000)
  })

  function nestedMappings(depth: number): string {
    return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('')
  }
})
