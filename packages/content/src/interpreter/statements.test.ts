/** Tests the statements that a function on a page may contain. */
import { describe, expect, test } from 'vitest'
import { runText } from '../../testing/evaluate-text.ts'
import type { Value } from './value.ts'

type Row = readonly [statements: string, value: Value]

function table(rows: readonly Row[]): void {
  test.each(rows)('the statements %s return %j', (statements, value) =>
    expect(runText(statements)).toEqual(value),
  )
}

describe('variables', () => {
  table([
    ['const a = 1; let b = 2; var c = 3; return a + b + c', 6],
    ['let a; return a', undefined],
    ['const { a, b: [c] } = { a: 1, b: [2] }; return [a, c]', [1, 2]],
    ['let a = 1; { let a = 2 } return a', 1],
    ['let a = 1; { a = 2 } return a', 2],
    ['let a = 1; a += 2; a *= 5; a -= 1; a /= 2; a **= 2; a %= 10; return a', 9],
    ['let a = null; a ??= 1; a ||= 2; a &&= 3; return a', 3],
    ['let a = 1; return [a++, a, ++a, a--, --a]', [1, 2, 3, 3, 1]],
    ['let a, b; [a, b] = [1, 2]; [a, b] = [b, a]; return [a, b]', [2, 1]],
    ['let a; ({ a } = { a: 1 }); return a', 1],
    ['const a = {}; a.b = 1; a["c"] = 2; return a', { b: 1, c: 2 }],
    ['const a = [1]; a[2] = 3; return a.length', 3],
    ['return twice(2); function twice(n) { return n * 2 }', 4],
  ])
})

describe('conditions', () => {
  table([
    ['if (1) return "yes"; return "no"', 'yes'],
    ['if (0) return 1; else if (2) return 2; else return 3', 2],
    ['switch (2) { case 1: return "a"; case 2: return "b"; default: return "c" }', 'b'],
    ['switch (9) { case 1: return "a"; default: return "c" }', 'c'],
    [
      'let a = ""; switch (1) { case 1: a += 1; case 2: a += 2; break; case 3: a += 3 } return a',
      '12',
    ],
    ['switch ("1") { case 1: return "number" } return "none"', 'none'],
  ])
})

describe('loops', () => {
  table([
    ['let s = 0; for (let i = 0; i < 4; i++) s += i; return s', 6],
    ['const s = []; for (const a of [1, 2]) s.push(a); return s', [1, 2]],
    ['let s = ""; for (const c of "ab") s += c + "."; return s', 'a.b.'],
    ['const s = []; for (const k in { a: 1, b: 2 }) s.push(k); return s', ['a', 'b']],
    ['const s = []; for (const k in [7, 8]) s.push(k); return s', ['0', '1']],
    [
      'const s = []; for (const [k, v] of Object.entries({ a: 1 })) s.push(k + v); return s',
      ['a1'],
    ],
    ['let i = 0; while (i < 3) i++; return i', 3],
    ['let i = 0; while (true) { i++; if (i > 4) break } return i', 5],
    ['let s = 0; for (const a of [1, 2, 3]) { if (a === 2) continue; s += a } return s', 4],
    ['for (const a of [1, 2, 3]) if (a === 2) return a', 2],
    ['for (;;) return 1', 1],
  ])
})

describe('try', () => {
  table([
    ['try { return 1 } catch { return 2 }', 1],
    ['try { return missing } catch { return 2 }', 2],
    ['try { return JSON.parse("{") } catch { return 2 }', 2],
  ])

  test('a `try` statement does not catch exceeded limits', () => {
    expect(runText('try { return "a".repeat(1e9) } catch { return 2 }')).toBe(
      'limit: The expression creates a string that is too long',
    )
  })
})

test.each([
  ['throw 1', 'unsupported: `ThrowStatement` is not evaluated at build time'],
  ['class A {}', 'unsupported: `ClassDeclaration` is not evaluated at build time'],
  ['do { } while (false)', 'unsupported: `DoWhileStatement` is not evaluated at build time'],
  ['a: for (;;) break a', 'unsupported: `LabeledStatement` is not evaluated at build time'],
  ['let a; for (a of [1]) ;', 'unsupported: A loop must declare its variable'],
])('the statement %s is rejected: %s', (statements, problem) =>
  expect(runText(statements)).toBe(problem),
)
