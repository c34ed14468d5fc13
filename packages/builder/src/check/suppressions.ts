/**
 * Diagnostics that an author has decided to ignore, or to report with another severity. A comment
 * on its own line covers the next block, `octavo-ignore-file` the whole file; both name the code
 * and a reason. `check` of docs.json has rules for many files.
 *
 *     {/* octavo-ignore link/broken: the page is on the old host *\/}
 */
import {
  type CodeSeverity,
  DIAGNOSTIC_CODES,
  type Diagnostic,
  diagnose,
  nearest,
  type Place,
  placeOf,
  type Report,
  withSeverity,
} from '@octavo/model'
import type { LoadedSite } from '../load/load-site.ts'
import { SUPPRESSION_MARK } from '../source/hashed-tree.ts'

type Suppression = {
  readonly code: string
  readonly reason: string
  readonly line: number
  /** The first and last line to which the suppression applies. */
  readonly from: number
  readonly to: number
}

const COMMENT =
  /^\s*(?:\{\s*\/\*|<!--|#|\/\*|\/\/)\s*octavo-ignore(?<file>-file)?\s+(?<code>[\w-]+\/[\w-]+)(?<rest>.*)$/
const FENCE = /^\s*(`{3,}|~{3,})/
const YAML_FILE = /\.ya?ml$/
const YAML_COMMENT = /^\s*#/

/**
 * Returns the suppressions in a file's text. Most files have none, so it first searches for the
 * keyword.
 */
export function readSuppressions(text: string, file = ''): readonly Suppression[] {
  if (!text.includes(SUPPRESSION_MARK)) return []
  const lines = text.split(/\r\n|\n|\r/)
  const found: Suppression[] = []
  let fence = ''
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    // A suppression inside a code fence is an example.
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      continue
    }
    fence = mark
    const groups = COMMENT.exec(line)?.groups
    if (groups === undefined) continue
    const { file: coversWholeFile, code = '', rest = '' } = groups
    const reason = rest
      .replace(/^\s*:/, '')
      .replace(/(?:\*\/\s*\}?|-->)\s*$/, '')
      .trim()
    const whole = { from: 1, to: lines.length }
    const isYaml = YAML_FILE.test(file) && YAML_COMMENT.test(line)
    const block = isYaml ? valueAfter(lines, index) : blockAfter(lines, index)
    found.push({ code, reason, line: index + 1, ...(coversWholeFile ? whole : block) })
  }
  return found
}

/** Returns the lines from the comment to the end of the next paragraph. */
function blockAfter(lines: readonly string[], comment: number) {
  let end = comment + 1
  while (end < lines.length && lines[end]?.trim() === '') end += 1
  while (end < lines.length && lines[end]?.trim() !== '') end += 1
  return { from: comment + 1, to: end }
}

/**
 * Returns the lines of the next key or item with everything indented below it, because YAML blocks
 * need no empty lines between them.
 */
function valueAfter(lines: readonly string[], comment: number) {
  const isEmpty = (line: string | undefined) => line?.trim() === ''
  let first = comment + 1
  while (first < lines.length && (isEmpty(lines[first]) || YAML_COMMENT.test(lines[first] ?? '')))
    first += 1
  const indent = indentOf(lines[first])
  let end = first + 1
  while (end < lines.length && (isEmpty(lines[end]) || indentOf(lines[end]) > indent)) end += 1
  return { from: comment + 1, to: end }
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length
}

export type Suppressed = {
  readonly kept: readonly Diagnostic[]
  readonly suppressedCount: number
}

/** A rule in `check.ignore` of docs.json, and its place there. */
export type IgnoreRule = {
  readonly code: string
  readonly file?: string | undefined
  readonly reason: string
  readonly place: Place
}

/** An entry in `check.severity` of docs.json, and its place there. */
type SeverityRule = {
  readonly code: string
  readonly severity: CodeSeverity
  readonly place: Place
}

/** The rules about diagnostics in `check` of docs.json. */
export type CheckRules = {
  readonly ignore: readonly IgnoreRule[]
  readonly severity: readonly SeverityRule[]
}

const NO_RULES: CheckRules = { ignore: [], severity: [] }

export function checkRules({ config, configRoot }: LoadedSite): CheckRules {
  const check = configRoot?.members.get('check')?.value
  const members = check?.type === 'object' ? check.members : undefined
  const list = members?.get('ignore')?.value
  const ignore = (config.check?.ignore ?? []).flatMap((rule, index) => {
    const node = list?.type === 'array' ? list.items[index] : undefined
    return node === undefined ? [] : [{ ...rule, place: placeOf(node) }]
  })
  const map = members?.get('severity')?.value
  const severity = Object.entries(config.check?.severity ?? {}).flatMap(([code, value]) => {
    const node = map?.type === 'object' ? map.members.get(code)?.value : undefined
    return node === undefined ? [] : [{ code, severity: value, place: placeOf(node) }]
  })
  return { ignore, severity }
}

/**
 * Removes suppressed diagnostics. `files` are all files that may contain suppressions, so that
 * unused suppressions can be reported.
 */
export function suppress(diagnostics: readonly Diagnostic[], input: SuppressInput): Suppressed {
  const { ignore, severity } = input.rules ?? NO_RULES
  const { kept, used, byFile } = applySuppressions(diagnostics, input)
  const suppressedCount = diagnostics.length - kept.length
  const own: Diagnostic[] = []
  const report = (one: Diagnostic) => own.push(one)
  for (const [file, list] of byFile) {
    for (const it of list) {
      if (!used.has(it)) reportUseless(it, { file, line: it.line, column: 1 }, report)
    }
  }
  for (const rule of ignore) if (!used.has(rule)) reportUseless(rule, rule.place, report)
  for (const { code, place } of severity) reportUnknown(code, place, report)
  return { kept: [...kept, ...setSeverities(own, severity)], suppressedCount }
}

/**
 * Removes suppressed diagnostics if only a part of the site was checked. Unused suppressions are
 * not reported.
 */
export function withoutSuppressed(
  diagnostics: readonly Diagnostic[],
  input: SuppressInput,
): readonly Diagnostic[] {
  return applySuppressions(diagnostics, input).kept
}

function applySuppressions(
  diagnostics: readonly Diagnostic[],
  { files, read, rules }: SuppressInput,
) {
  const { ignore, severity } = rules ?? NO_RULES
  const byFile = new Map<string, readonly Suppression[]>()
  for (const file of files) {
    const found = readSuppressions(read(file) ?? '', file)
    if (found.length > 0) byFile.set(file, found)
  }
  const used = new Set<Suppression | IgnoreRule>()
  const listed = diagnostics.filter((diagnostic) => {
    const { code, place } = diagnostic
    const comments = (byFile.get(place.file) ?? []).filter(
      (it) => it.code === code && it.from <= place.line && place.line <= it.to && it.reason !== '',
    )
    const fitting = [...comments, ...ignore.filter((rule) => covers(rule, diagnostic))]
    for (const it of fitting) used.add(it)
    return fitting.length === 0
  })
  return { kept: setSeverities(listed, severity), used, byFile }
}

/** Sets the severities that the author chose, and removes the diagnostics that are turned off. */
function setSeverities(
  diagnostics: readonly Diagnostic[],
  rules: readonly SeverityRule[],
): readonly Diagnostic[] {
  if (rules.length === 0) return diagnostics
  const chosen = new Map(rules.map(({ code, severity }) => [code, severity]))
  return diagnostics.flatMap((diagnostic) => {
    const severity = chosen.get(diagnostic.code)
    if (severity === 'off') return []
    return severity === undefined ? [diagnostic] : [withSeverity(diagnostic, severity)]
  })
}

type SuppressInput = {
  readonly files: readonly string[]
  readonly read: (file: string) => string | undefined
  /** The rules in docs.json, or undefined if docs.json could not be read. */
  readonly rules: CheckRules | undefined
}

function covers({ code, file, reason }: IgnoreRule, diagnostic: Diagnostic): boolean {
  if (code !== diagnostic.code || reason.trim() === '') return false
  const path = file?.replace(/^\.?\/|\/$/g, '') ?? ''
  return (
    path === '' || diagnostic.place.file === path || diagnostic.place.file.startsWith(`${path}/`)
  )
}

function reportUseless(
  { code, reason }: Pick<Suppression, 'code' | 'reason'>,
  place: Place,
  report: Report,
): void {
  if (reportUnknown(code, place, report)) return
  if (reason === '') {
    const message = 'This suppression has no reason, so it has no effect.'
    const hint = `Add a reason after the code: \`${SUPPRESSION_MARK} ${code}: …\`.`
    report(diagnose('check/suppression', place, { message, hint }))
  } else {
    const message = `There is no \`${code}\` here to suppress.`
    const hint = 'Remove the suppression.'
    report(diagnose('check/suppression', place, { message, hint }))
  }
}

/** Reports a code if it does not exist, and returns whether it reported one. */
function reportUnknown(code: string, place: Place, report: Report): boolean {
  if (Object.hasOwn(DIAGNOSTIC_CODES, code)) return false
  const guess = nearest(code, Object.keys(DIAGNOSTIC_CODES))
  const message = `Unknown code \`${code}\`, so this has no effect.`
  const hint = guess === undefined ? 'Copy the code from the report.' : `Did you mean \`${guess}\`?`
  report(diagnose('check/suppression', place, { message, hint }))
  return true
}
