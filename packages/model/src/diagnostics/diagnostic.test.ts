import { expect, test } from 'vitest'
import { type Diagnostic, diagnose } from './diagnostic.ts'
import { DIAGNOSTIC_CODES, type DiagnosticCode } from './diagnostic-codes.ts'

const PLACE = { file: 'index.mdx', line: 1, column: 1 }
const TEXT = { message: 'It is wrong.', hint: 'Correct it.' }

test('a diagnostic has the severity of its code', () => {
  const codes = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[]
  for (const code of codes) {
    expect(diagnose(code, PLACE, TEXT).severity).toBe(DIAGNOSTIC_CODES[code].severity)
  }
})

test('the compiler rejects a diagnostic with another severity', () => {
  const anchor = diagnose('link/anchor', PLACE, TEXT)
  // @ts-expect-error The codes of errors and warnings are no codes of notes.
  const softened: Diagnostic = { ...anchor, severity: 'note' }
  // @ts-expect-error `link/anchor` is a warning.
  const hardened: Diagnostic = { code: 'link/anchor', severity: 'error', place: PLACE, ...TEXT }
  const exact: Diagnostic = { code: 'link/anchor', severity: 'warning', place: PLACE, ...TEXT }
  expect([softened, hardened, exact]).toHaveLength(3)
})
