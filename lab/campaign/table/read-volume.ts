import { stripVTControlCharacters } from 'node:util'

/** Matches the counts of the test runner, which are the volume of an entry without a pattern. */
const TESTS = /^\s*Tests\s+(?:(\d+) failed \| )?(?:(\d+) passed)/m
const LENGTH_MAX = 160

export function readVolume(output: string, pattern: RegExp | undefined): string {
  const plain = stripVTControlCharacters(output)
  if (pattern !== undefined) {
    const line = plain.split('\n').findLast((one) => pattern.test(one))
    if (line !== undefined)
      return (pattern.exec(line)?.[1] ?? line).trim().replaceAll(/\s+/g, ' ').slice(0, LENGTH_MAX)
  }
  const [, failed, passed] = TESTS.exec(plain) ?? []
  if (passed === undefined && failed === undefined) return '–'
  return `${Number(passed ?? 0) + Number(failed ?? 0)} tests${failed === undefined ? '' : `, ${failed} failed`}`
}
