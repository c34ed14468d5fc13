import { posix } from 'node:path'
import type { TextEdit } from './plan-rename.ts'

const IMPORT =
  /(?<=(?:^|\n)[ \t]*(?:import|export)\s[^'"\n;]*?['"])(?:\.{1,2}\/|\/)[^'"\n]+(?=['"])/g

/** Returns edits for imports of the moved file, and for the imports in the file itself. */
export function renameInImports(
  file: string,
  text: string,
  move: { readonly from: string; readonly to: string },
): readonly TextEdit[] {
  if (!text.includes('import') && !text.includes('export')) return []
  return [...text.matchAll(IMPORT)].flatMap(({ 0: written, index }) => {
    const isRelative = written.startsWith('.')
    const target = posix.join(isRelative ? posix.dirname(file) : '', written.replace(/^\//, ''))
    const isSelf = target === move.from
    if (!isSelf && !(file === move.from && isRelative)) return []
    const path = isSelf ? move.to : target
    const from = file === move.from ? move.to : file
    const near = posix.relative(posix.dirname(from), path)
    const relative = near.startsWith('.') ? near : `./${near}`
    return [{ start: index, end: index + written.length, put: isRelative ? relative : `/${path}` }]
  })
}
