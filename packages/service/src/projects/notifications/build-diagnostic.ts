/** Diagnostics as stored by builds, in the format of `octavo check --json`. */
import { z } from 'zod'

const BuildDiagnostic = z.object({
  code: z.string(),
  severity: z.string(),
  message: z.string(),
  place: z.object({ file: z.string(), line: z.number(), column: z.number() }),
})
export type BuildDiagnostic = z.output<typeof BuildDiagnostic>

/** Parses stored diagnostics, and skips entries with an unknown shape. */
export function readDiagnostics(stored: unknown): readonly BuildDiagnostic[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry) => {
    const parsed = BuildDiagnostic.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/**
 * Returns the diagnostics that the live site does not have. Lines are not compared, since they move
 * when a page is edited. If the live site has the same diagnostic a few times, only the occurrences
 * beyond that number are new.
 */
export function newDiagnostics(
  diagnostics: readonly BuildDiagnostic[],
  live: readonly BuildDiagnostic[],
): readonly BuildDiagnostic[] {
  const counts = new Map<string, number>()
  for (const one of live) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return diagnostics.filter((one) => {
    const left = counts.get(keyOf(one)) ?? 0
    counts.set(keyOf(one), left - 1)
    return left <= 0
  })
}

const keyOf = ({ code, message, place }: BuildDiagnostic) =>
  JSON.stringify([code, place.file, message])
