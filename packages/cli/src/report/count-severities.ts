import type { Diagnostic } from '@octavo/model'

export function countSeverities(
  diagnostics: readonly Diagnostic[],
): Record<Diagnostic['severity'], number> {
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of diagnostics) counts[severity] += 1
  return counts
}

/** Checks for errors or warnings. Notes are not problems. */
export function hasProblems(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity !== 'note')
}
