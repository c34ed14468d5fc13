/** Chooses the branch that is published, and explains problems with it. */
import type { GitRefs } from '../../platform/git/git.ts'

const NAMES_SHOWN = 10

/**
 * Returns the branch that the owner chose, or else the default branch of the Git host. If the
 * default branch does not exist, returns the branch that was published before, or the only branch.
 */
export function chooseBranch(
  { branches, defaultBranch }: GitRefs,
  {
    branch,
    published,
  }: { readonly branch: string | null; readonly published?: string | undefined },
): string | undefined {
  if (branch !== null) return branch
  if (defaultBranch !== undefined && branches.has(defaultBranch)) return defaultBranch
  if (published !== undefined && branches.has(published)) return published
  const [only] = branches.keys()
  return branches.size === 1 ? only : defaultBranch
}

/**
 * Explains why a branch that `chooseBranch` returned cannot be published; undefined if it exists.
 */
export function explainBranch(refs: GitRefs, name: string | undefined): string | undefined {
  if (name !== undefined && refs.branches.has(name)) return undefined
  const choice = `Choose the branch to publish: ${printBranches(refs)}.`
  if (name === undefined) return `The Git host does not report a default branch. ${choice}`
  return name === refs.defaultBranch
    ? `The default branch "${name}" does not exist. ${choice}`
    : `The branch "${name}" does not exist. Push it, or choose another: ${printBranches(refs)}.`
}

export function printBranches({ branches }: GitRefs): string {
  const names = [...branches.keys()].toSorted()
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`
}
