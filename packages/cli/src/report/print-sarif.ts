import { posix } from 'node:path'
import { DIAGNOSTIC_CODES, type Diagnostic, isHosted } from '@octavo/model'

const LEVEL = { error: 'error', warning: 'warning', note: 'note' } as const

/** Prints SARIF 2.1.0, which code scanning on most Git hosts reads. */
export function printSarif(diagnostics: readonly Diagnostic[], folder: string): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].toSorted()
  const root = folder.replaceAll('\\', '/')
  const rules = codes.map((code) => ({
    id: code,
    shortDescription: { text: DIAGNOSTIC_CODES[code].about },
    defaultConfiguration: { level: LEVEL[DIAGNOSTIC_CODES[code].severity] },
  }))
  const results = diagnostics.map(({ code, severity, message, hint, place }) => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVEL[severity],
    message: { text: `${message}\nHint: ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(place.file, root) },
          region: { startLine: place.line, startColumn: place.column },
        },
      },
    ],
  }))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    // Columns are counted in UTF-16 units, as in every other report.
    runs: [{ tool: { driver: { name: 'octavo', rules } }, columnKind: 'utf16CodeUnits', results }],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function uriOf(file: string, root: string): string {
  return isHosted(file) ? file : encodeURI(posix.join(root, file))
}
