import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Diagnostic } from '@octavo/model'
import { documentationRoot } from './documentation-root.ts'

/** Adds a hint that names the docs.json of a parent folder, if this folder has none. */
export function withNotFoundHint(
  diagnostics: readonly Diagnostic[],
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): readonly Diagnostic[] {
  if (!diagnostics.some(isNotFound)) return diagnostics
  const above = documentationRoot(dirname(folder))
  if (above === undefined) return diagnostics
  const name = ['docs.json', 'mint.json'].find((one) => existsSync(join(above, one))) ?? ''
  const path = relative(cwd, above).replaceAll('\\', '/') || '.'
  const hint = `There is one in a parent folder, ${path === '.' ? name : `${path}/${name}`}: pass that folder, \`${path}\`.`
  return diagnostics.map((one) => (isNotFound(one) ? { ...one, hint } : one))
}

function isNotFound({ code, hint }: Diagnostic): boolean {
  // The diagnostic may already suggest a docs.json in a subfolder, which is the better suggestion.
  return code === 'config/not-found' && !hint.startsWith('There is one')
}
