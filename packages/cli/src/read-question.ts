import type { LibraryOptions } from './answers/open-site-library.ts'

type Written = { readonly vectors?: string | undefined; readonly scope?: string | undefined }
type Question = { readonly first: string } & Pick<LibraryOptions, 'folder' | 'vectors' | 'scope'>

/** Returns the arguments of `ask` and `eval`, or an error message. */
export function readQuestion(
  [first = '', folder = '.', extra]: readonly string[],
  { vectors = 'off', scope }: Written,
): Question | string {
  if (first.trim() === '') return 'Missing argument: the question, or the file with questions.'
  if (extra !== undefined) return `Unexpected argument "${extra}".`
  if (vectors !== 'off' && vectors !== 'local')
    return `Invalid --vectors "${vectors}": expected off or local.`
  return { first, folder, vectors, scope }
}
