import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { applyEdits, type Edit } from '../text/text-edits.ts'
import { SourceText } from './source-text.ts'

/**
 * How far the text to change may be from the place. The place of a setting is the start of its
 * object, and the text is a few lines below.
 */
const SETTING_DISTANCE_MAX = 400

export type FixedText = {
  readonly text: string
  /** The number of fixes that were applied. */
  readonly count: number
  /** The replacements, in order, with offsets in the original text. */
  readonly edits: readonly Edit[]
}

/**
 * Applies the fixes that diagnostics of a file offer. A fix is skipped if its text is not at the
 * expected place, or if it overlaps another fix; the problem is then found again in the fixed text.
 */
export function fixText(text: string, diagnostics: readonly Diagnostic[]): FixedText {
  const source = new SourceText('', text)
  const fixes = diagnostics
    .flatMap((diagnostic) => editsOf(source, diagnostic) ?? [])
    .toSorted((a, b) => a.first.start - b.first.start)
  const edits: Edit[] = []
  let count = 0
  let end = 0
  // The closing tags that have been replaced further below. A fix before them must not overlap
  // them.
  let closings: readonly Edit[] = []
  for (const { first, closing } of fixes) {
    closings = closings.filter((other) => other.end > first.start)
    const isFree = (edit: Edit) => !closings.some((other) => overlaps(edit, other))
    if (first.start < end || !isFree(first) || (closing !== undefined && !isFree(closing))) continue
    end = first.end
    edits.push(first)
    if (closing !== undefined) {
      edits.push(closing)
      closings = [...closings, closing]
    }
    count += 1
  }
  edits.sort((a, b) => a.start - b.start)
  return { text: applyEdits(text, edits).text, count, edits }
}

function overlaps(a: Edit, b: Edit): boolean {
  return a.start < b.end && b.start < a.end
}

type FixEdits = { readonly first: Edit; readonly closing: Edit | undefined }

function editsOf(source: SourceText, { place, fix }: Diagnostic): FixEdits | undefined {
  if (fix === undefined) return undefined
  const { text } = source
  const at = source.offset(place)
  const isSetting = place.pointer !== undefined && fix.distance === undefined
  const start = isSetting ? text.indexOf(fix.find, at) : at + (fix.distance ?? 0)
  if (start < at || start > at + Math.max(SETTING_DISTANCE_MAX, fix.distance ?? 0)) return undefined
  const first = editAt(text, start, fix)
  const closing = fix.closing && editAt(text, at + fix.closing.distance, fix.closing)
  if (first === undefined || (fix.closing !== undefined && closing === undefined)) return undefined
  return { first, closing }
}

function editAt(
  text: string,
  start: number,
  { find, put }: { readonly find: string; readonly put: string },
): Edit | undefined {
  return text.startsWith(find, start) ? { start, end: start + find.length, put } : undefined
}
