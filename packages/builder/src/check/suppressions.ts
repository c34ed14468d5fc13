/**
 * Diagnostics that an author has decided to ignore. A comment on its own line
 * covers the next block, `octavo-ignore-file` the whole file; both name the code and a reason:
 *
 *     {/* octavo-ignore link/broken: the page is on the old host *\/}
 */
import {
  DIAGNOSTIC_CODES,
  type Diagnostic,
  diagnose,
  nearest,
  type Place,
  type Report,
} from '@octavo/model'
import { SUPPRESSION_MARK } from '../source/hashed-tree.ts'

type Suppression = {
  readonly code: string
  readonly reason: string
  readonly line: number
  /** The covered lines. */
  readonly from: number
  readonly to: number
}

const COMMENT =
  /^\s*(?:\{\s*\/\*|<!--|#|\/\*|\/\/)\s*octavo-ignore(?<file>-file)?\s+(?<code>[\w-]+\/[\w-]+)(?<rest>.*)$/
const FENCE = /^\s*(`{3,}|~{3,})/
const YAML_FILE = /\.ya?ml$/
const YAML_COMMENT = /^\s*#/

/** Returns the suppressions of one text. Most have none, so a search for the word comes first. */
export function readSuppressions(text: string, file = ''): readonly Suppression[] {
  if (!text.includes(SUPPRESSION_MARK)) return []
  const lines = text.split(/\r\n|\n|\r/)
  const found: Suppression[] = []
  let fence = ''
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    // A suppression inside a fence is an example.
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      continue
    }
    fence = mark
    const groups = COMMENT.exec(line)?.groups
    if (groups === undefined) continue
    const { file: isCommandLineFileRequest, code = '', rest = '' } = groups
    const reason = rest
      .replace(/^\s*:/, '')
      .replace(/(?:\*\/\s*\}?|-->)\s*$/, '')
      .trim()
    const whole = { from: 1, to: lines.length }
    const isYaml = YAML_FILE.test(file) && YAML_COMMENT.test(line)
    const block = isYaml ? valueAfter(lines, index) : blockAfter(lines, index)
    found.push({ code, reason, line: index + 1, ...(isCommandLineFileRequest ? whole : block) })
  }
  return found
}

/** The lines from the comment to the next empty line after some text. */
function blockAfter(lines: readonly string[], comment: number) {
  let end = comment + 1
  while (end < lines.length && lines[end]?.trim() === '') end += 1
  while (end < lines.length && lines[end]?.trim() !== '') end += 1
  return { from: comment + 1, to: end }
}

/** The next key or item with everything indented below it: YAML blocks need no empty lines. */
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

/** A rule of docs.json and its place. */
export type IgnoreRule = {
  readonly code: string
  readonly file?: string | undefined
  readonly reason: string
  readonly place: Place
}

/** `files` are all files that may contain suppressions: unused ones are reported too. */
export function suppress(diagnostics: readonly Diagnostic[], input: SuppressInput): Suppressed {
  const { rules } = input
  const { kept, used, byFile } = applySuppressions(diagnostics, input)
  if (byFile.size === 0 && rules.length === 0) return { kept: diagnostics, suppressedCount: 0 }
  const suppressedCount = diagnostics.length - kept.length
  const own: Diagnostic[] = []
  const report = (one: Diagnostic) => own.push(one)
  for (const [file, list] of byFile) {
    for (const it of list) {
      if (!used.has(it)) reportUseless(it, { file, line: it.line, column: 1 }, report)
    }
  }
  for (const rule of rules) if (!used.has(rule)) reportUseless(rule, rule.place, report)
  return { kept: [...kept, ...own], suppressedCount }
}

/** For diagnostics of only a part of the site: unused suppressions are not reported. */
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
  const byFile = new Map<string, readonly Suppression[]>()
  for (const file of files) {
    const found = readSuppressions(read(file) ?? '', file)
    if (found.length > 0) byFile.set(file, found)
  }
  const used = new Set<Suppression | IgnoreRule>()
  const kept = diagnostics.filter((diagnostic) => {
    const { code, place } = diagnostic
    const comments = (byFile.get(place.file) ?? []).filter(
      (it) => it.code === code && it.from <= place.line && place.line <= it.to && it.reason !== '',
    )
    const fitting = [...comments, ...rules.filter((rule) => covers(rule, diagnostic))]
    for (const it of fitting) used.add(it)
    return fitting.length === 0
  })
  return { kept, used, byFile }
}

type SuppressInput = {
  readonly files: readonly string[]
  readonly read: (file: string) => string | undefined
  readonly rules: readonly IgnoreRule[]
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
  if (!Object.hasOwn(DIAGNOSTIC_CODES, code)) {
    const guess = nearest(code, Object.keys(DIAGNOSTIC_CODES))
    const message = `Unknown code \`${code}\`, so this suppression has no effect.`
    const hint =
      guess === undefined ? 'Copy the code from the report.' : `Did you mean \`${guess}\`?`
    report(diagnose('check/suppression', place, { message, hint }))
  } else if (reason === '') {
    const message = 'This suppression has no reason, so it has no effect.'
    const hint = `Add a reason after the code: \`${SUPPRESSION_MARK} ${code}: …\`.`
    report(diagnose('check/suppression', place, { message, hint }))
  } else {
    const message = `There is no \`${code}\` here to suppress.`
    const hint = 'Remove the suppression.'
    report(diagnose('check/suppression', place, { message, hint }))
  }
}
