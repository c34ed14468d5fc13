import { applyEdits, type Edit, formatCount, printable } from '@octavo/model'
import type { FixedFile } from '../commands/apply-fixes.ts'
import type { Colors } from './colors.ts'

/** The maximum number of changes to list. Further ones are counted, to keep the report readable. */
const LISTED_MAX = 50
/** The maximum number of lines of a change to print. */
const LINES_MAX = 12
const WIDTH = 100

/** Prints the lines that fixes changed, before and after the change. */
export function printChanges(
  files: readonly FixedFile[],
  { all, colors }: { readonly all: boolean; readonly colors: Colors },
): string {
  const changes = files.flatMap((file) => changesOf(file))
  const listed = all ? changes : changes.slice(0, LISTED_MAX)
  const texts = listed.map(({ place, before, after }) =>
    [
      colors.bold(place),
      ...cut(before, after).map((line) => colors.red(`- ${line}`)),
      ...cut(after, before).map((line) => colors.green(`+ ${line}`)),
    ].join('\n'),
  )
  const more = changes.length - listed.length
  if (more > 0)
    texts.push(colors.dim(`and ${formatCount(more)} more. Use --all to list changes, or git diff.`))
  return texts.map((text) => `${text}\n\n`).join('')
}

type Change = {
  readonly place: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Returns the changed lines. Edits that share lines are one change. */
function changesOf({ file, before: text, edits }: FixedFile): readonly Change[] {
  const groups: { start: number; end: number; edits: Edit[] }[] = []
  for (const edit of edits) {
    const start = lineStart(text, edit.start)
    const last = groups.at(-1)
    if (last !== undefined && start < last.end) {
      last.edits.push(edit)
      last.end = Math.max(last.end, nextLine(text, edit.end))
    } else groups.push({ start, end: nextLine(text, edit.end), edits: [edit] })
  }
  let line = 1
  let counted = 0
  return groups.map(({ start, end, edits }) => {
    line += countLines(text.slice(counted, start))
    counted = start
    const moved = edits.map((edit) => ({
      ...edit,
      start: edit.start - start,
      end: edit.end - start,
    }))
    const before = text.slice(start, end)
    const after = applyEdits(before, moved).text
    return { place: `${file}:${line}`, ...differing(splitLines(before), splitLines(after)) }
  })
}

/** Removes equal lines at the start and at the end. */
function differing(
  before: readonly string[],
  after: readonly string[],
): Pick<Change, 'before' | 'after'> {
  const length = Math.min(before.length, after.length)
  let start = 0
  while (start < length && before[start] === after[start]) start += 1
  let end = 0
  while (end < length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const changed = (lines: readonly string[]) => lines.slice(start, lines.length - end)
  return { before: changed(before), after: changed(after) }
}

/** Limits the number of lines, and shortens long lines to the part that differs. */
function cut(lines: readonly string[], others: readonly string[]): readonly string[] {
  const shown = lines.slice(0, LINES_MAX).map((line, index) => {
    const from = Math.max(0, firstDifference(line, others[index] ?? '') - WIDTH / 2)
    const text = printable(line.slice(from, from + WIDTH).replaceAll('\t', ' '))
    return `${from > 0 ? '…' : ''}${text}${line.length > from + WIDTH ? '…' : ''}`
  })
  return lines.length > LINES_MAX ? [...shown, '…'] : shown
}

function firstDifference(line: string, other: string): number {
  let at = 0
  while (at < line.length && line[at] === other[at]) at += 1
  return at
}

function splitLines(text: string): readonly string[] {
  return text.replace(/(?:\r\n|\n|\r)$/, '').split(/\r\n|\n|\r/)
}

function countLines(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
}

function lineStart(text: string, at: number): number {
  const before = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1))
  return at === 0 ? 0 : before + 1
}

/** Returns the end of the line with the last replaced character, including its line break. */
function nextLine(text: string, end: number): number {
  const found = text.indexOf('\n', Math.max(0, end - 1))
  return found < 0 ? text.length : found + 1
}
