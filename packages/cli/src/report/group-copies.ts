/**
 * Groups equal findings in copies of a page, such as its other versions and translations.
 */
import { type Diagnostic, LANGUAGE_ALIASES, LANGUAGE_CODES } from '@octavo/model'

export type FindingGroup = {
  readonly first: Diagnostic
  /** Equal findings in other copies of the page. */
  readonly copies: readonly Diagnostic[]
}

/** Languages and versions that folders are named after, such as `pt-BR`, `v1.2` or `edge`. */
const LANGUAGES = [...LANGUAGE_CODES, ...Object.keys(LANGUAGE_ALIASES)].map((code) =>
  code.slice(0, 2),
)
const DIVISION = new RegExp(
  `(?<![\\w.-])(?:(?:${LANGUAGES.join('|')})(?:-[a-z\\d]{2,4})?|v?\\d+(?:[.-]\\w+)*|edge|next|latest|stable|main|nightly|beta)/`,
  'gi',
)

/** Groups findings. The groups are in the order of their first findings. */
export function groupCopies(diagnostics: readonly Diagnostic[]): readonly FindingGroup[] {
  const groups = new Map<string, { first: Diagnostic; copies: Diagnostic[] }>()
  const counts = new Map<string, number>()
  for (const diagnostic of diagnostics) {
    const { code, severity, message, place } = diagnostic
    const name = `${severity} ${code} ${withoutDivisions(message)}`
    // If a page has equal findings, the second one matches the second one on another page.
    const number = (counts.get(`${place.file} ${name}`) ?? 0) + 1
    counts.set(`${place.file} ${name}`, number)
    const key = `${number} ${withoutDivisions(place.file)} ${name}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { first: diagnostic, copies: [] })
    else group.copies.push(diagnostic)
  }
  return [...groups.values()]
}

function withoutDivisions(text: string): string {
  return text.replaceAll(DIVISION, '')
}
