import type { Diagnostic } from '@octavo/model'

/** How many diagnostics there are of each severity. */
export function countSeverities(
  diagnostics: readonly Diagnostic[],
): Record<Diagnostic['severity'], number> {
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of diagnostics) counts[severity] += 1
  return counts
}

/** Errors or warnings: notes are no problems. */
export function hasProblems(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity !== 'note')
}
