import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from './limits.ts'
import { readYaml } from './read-yaml.ts'

/** Returns YAML with several lists whose closing brackets are in the column of their keys. */
function closedLate(count: number, more = ''): string {
  const lists = Array.from({ length: count }, (_, index) => `  list${index}: [\n    1\n  ]\n`)
  return `all:\n${lists.join('')}${more}`
}

describe('closing brackets in the column of a key', () => {
  test('unindented closing brackets are accepted and reported once', () => {
    const read = readYaml(closedLate(100), OPENAPI_LIMITS)
    expect(read.kind === 'read' && read.problems).toEqual([
      {
        code: 'openapi/yaml-indentation',
        offset: 24,
        message:
          'This closing bracket is in the same column as its key, which strict YAML parsers reject. The file has 99 more like this.',
        hint: 'Octavo accepts it. For other tools, indent it by a space.',
      },
    ])
  })

  test('an indented closing bracket is not reported', () => {
    const read = readYaml('all:\n  list: [\n    1\n    ]\n', OPENAPI_LIMITS)
    expect(read.kind === 'read' && read.problems).toEqual([])
  })

  test('a text that is too large to be parsed a second time is rejected', () => {
    const large = closedLate(1, `# ${'x'.repeat(20_000_000)}`)
    expect(readYaml(large, OPENAPI_LIMITS).kind).toBe('malformed')
  })
})
