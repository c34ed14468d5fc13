import python from '@shikijs/langs/python'
import shell from '@shikijs/langs/shellscript'
import typescript from '@shikijs/langs/typescript'
import { toRegExp } from 'oniguruma-to-es'
import { describe, expect, test } from 'vitest'
import { requiredBySource, requiredCharacters } from './required-characters.ts'

const LINES = [
  'export async function go<T>(a: T, b = 1): Promise<T[]> { return [a, b].map((x) => x?.y) }',
  'const t = `a b` as const satisfies F<G>; let u = /re[x]/gi.test(v)! // why /* not */',
  'def f(self, *args: int, **kw) -> dict[str, str]: """doc""" # note',
  "    raise Error(f'could {x!r:>{10}} y') from None if not a else lambda q: q ** 2",
  'if [ "$?" -ne 0 ]; then echo "failed" >&2; exit 1; fi; cat <<EOF | sed -e \'s/a/b/g\'',
  'ünïcödé = "ß"',
]

/** Longer patterns consist of the same constructs, but take a long time to compile. */
const SOURCE_LENGTH_MAX = 1_000

function patternsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, member] of Object.entries(value)) {
    const isPattern = key === 'match' || key === 'begin' || key === 'end' || key === 'while'
    if (isPattern && typeof member === 'string') {
      if (member.length < SOURCE_LENGTH_MAX) found.add(member)
    } else patternsOf(member, found)
  }
  return found
}

describe('required characters', () => {
  test('required characters occur in every match of real grammars', () => {
    let matches = 0
    const wrong: string[] = []
    // Only every tenth pattern is tested, since compiling takes a long time.
    const sources = [...patternsOf([typescript, python, shell])].filter((_, at) => at % 10 === 0)
    for (const source of sources) {
      const pattern = compile(source)
      // Emulated patterns are not analyzed.
      if (pattern === undefined || Object.getPrototypeOf(pattern) !== RegExp.prototype) continue
      const required = [requiredCharacters(pattern), requiredBySource(source)]
      const clauses = required.flatMap((it) => it.clauses)
      const words = required.flatMap((it) => it.words)
      for (const line of LINES) {
        for (const match of `${line}\n`.matchAll(pattern)) {
          matches += 1
          const ahead = `${line}\n`.slice(match.index)
          if (!words.every((word) => ahead.includes(word))) wrong.push(`${source} on ${line}`)
          for (const clause of clauses) {
            const isMet = clause.some((code) => ahead.includes(String.fromCharCode(code)))
            if (!isMet) wrong.push(`${source} on ${line}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(matches).toBeGreaterThan(80)
  })

  test('required characters and words are found in typical patterns', () => {
    const of = (pattern: RegExp) =>
      requiredCharacters(pattern).clauses.map((clause) => String.fromCharCode(...clause))
    expect(of(/([a-z]*)(`)/v)).toEqual(['`'])
    expect(of(/(?=.*=>)/v)).toEqual(['>', '='])
    expect(of(/a|b/v)).toEqual(['ab'])
    expect(of(/a?b*(c|d)?/v)).toEqual([])
    expect(of(/(?!x)(?<=y)z/v)).toEqual(['z'])
    expect(of(/[^a]\w\p{L}/v)).toEqual([])
    expect(of(/(?:a{0,2})b{2}/v)).toEqual(['b'])
    expect(of(/q/iv)).toEqual(['qQ'])
    const words = (pattern: RegExp) => requiredCharacters(pattern).words
    expect(words(/\b(export)\s+default(?!s)/v)).toEqual(['default', 'export'])
    expect(words(/abc?|abd/v)).toEqual([])
    expect(words(/abcd+e\bfgh/v)).toEqual(['efgh', 'abc'])
    expect(words(/import/iv)).toEqual([])
  })
})

function compile(source: string): RegExp | undefined {
  try {
    return toRegExp(source, { global: true, rules: { captureGroup: true, singleline: true } })
  } catch {
    // An end pattern that refers to its begin pattern cannot be compiled alone.
    return undefined
  }
}
