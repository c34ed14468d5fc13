/**
 * Writes the findings of a build to a file next to the site, so that `octavo deploy --prebuilt` can
 * report them. The manifest does not list this file, so it is not deployed.
 */
import {
  DIAGNOSTIC_CODES,
  type Diagnostic,
  type DiagnosticCode,
  FAIL_ON,
  type FailOn,
  type Severity,
} from '@octavo/model'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import type { SiteOutput } from './site-output.ts'

export const FINDINGS_FILE = `${OWN_FOLDER}/findings.json`

export type BuiltFindings = {
  /** Which findings stop a deployment, according to docs.json. */
  readonly failOn: FailOn
  /** Number of findings that are in the baseline file, and therefore not in `findings`. */
  readonly knownCount: number
  readonly findings: readonly {
    readonly code: DiagnosticCode
    readonly severity: Severity
    readonly count: number
  }[]
}

type Found = { readonly diagnostics: readonly Diagnostic[]; readonly knownCount: number }

/** Writes the findings. No file is written for a site without errors or warnings. */
export function writeFindings(
  output: SiteOutput,
  { diagnostics, knownCount }: Found,
  failOn: FailOn,
): void {
  const counts: Record<string, number> = {}
  for (const { code, severity } of diagnostics)
    if (severity !== 'note') counts[code] = (counts[code] ?? 0) + 1
  if (Object.keys(counts).length === 0 && knownCount === 0) return
  const text = `${JSON.stringify({ failOn, counts, knownCount })}\n`
  output.write(FINDINGS_FILE, text, { access: [] })
}

/** Returns undefined unless the text has the format that `writeFindings` writes. */
export function parseFindings(text: string): BuiltFindings | undefined {
  try {
    const { failOn, counts, knownCount } = JSON.parse(text) as Record<string, unknown>
    const known = FAIL_ON.find((one) => one === failOn)
    if (known === undefined || typeof counts !== 'object' || counts === null) return undefined
    const findings = Object.entries(counts).flatMap(([code, count]) => {
      if (!Object.hasOwn(DIAGNOSTIC_CODES, code) || !Number.isInteger(count)) return []
      const known = code as DiagnosticCode
      return [{ code: known, severity: DIAGNOSTIC_CODES[known].severity, count: Number(count) }]
    })
    return {
      failOn: known,
      knownCount: Number.isInteger(knownCount) ? Number(knownCount) : 0,
      findings,
    }
  } catch {
    return undefined
  }
}
