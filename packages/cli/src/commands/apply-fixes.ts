import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic, Fix, Place } from '@octavo/model'
import { applyEdits, type Edit } from './text-edits.ts'

/** The place of a setting is the start of its object; the text to change is a few lines below. */
const DISTANCE_MAX = 400

/**
 * Applies the fixes that diagnostics offer. Skips a fix if its text is not at the expected place.
 */
export function applyFixes(
  folder: string,
  diagnostics: readonly Diagnostic[],
): { readonly count: number; readonly files: number } {
  const byFile = Map.groupBy(
    diagnostics.filter(({ fix }) => fix !== undefined),
    ({ place }) => place.file,
  )
  let count = 0
  let files = 0
  for (const [name, list] of byFile) {
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    const edits = list.flatMap(({ fix, place }) => (fix && editOf(text, place, fix)) ?? [])
    const changed = applyEdits(text, edits)
    if (changed.text === text) continue
    writeFileSync(file, changed.text)
    count += changed.count
    files += 1
  }
  return { count, files }
}

function editOf(text: string, place: Place, { find, put }: Fix): Edit | undefined {
  const offset = offsetOf(text, place)
  const isSetting = place.pointer !== undefined
  const start = isSetting ? text.indexOf(find, offset) : offset
  if (start < offset || start > offset + DISTANCE_MAX) return undefined
  if (!text.startsWith(find, start)) return undefined
  return { start, end: start + find.length, put }
}

function offsetOf(text: string, { line, column }: Place): number {
  const ends = /\r\n|\n|\r/g
  for (let number = 1; number < line; number += 1) if (ends.exec(text) === null) return text.length
  return ends.lastIndex + column - 1
}
