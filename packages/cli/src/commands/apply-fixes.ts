import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, type FixedText, fixText } from '@octavo/model'

/** A file that was changed by fixes. */
export type FixedFile = FixedText & { readonly file: string; readonly before: string }

/** Applies the fixes that diagnostics offer, and returns the changed files. */
export function applyFixes(
  folder: string,
  diagnostics: readonly Diagnostic[],
): readonly FixedFile[] {
  const byFile = Map.groupBy(
    diagnostics.filter(({ fix }) => fix !== undefined),
    ({ place }) => place.file,
  )
  return [...byFile].flatMap(([file, list]) => {
    const path = join(folder, file)
    // A hosted specification is not in the folder.
    if (!existsSync(path)) return []
    const before = readFileSync(path, 'utf8')
    const fixed = fixText(before, list)
    if (fixed.text === before) return []
    writeFileSync(path, fixed.text)
    return [{ ...fixed, file, before }]
  })
}
