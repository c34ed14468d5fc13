import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, placeOfKeyIn } from '../json/json-node.ts'
import type { NavDivision, NavGroup, NavNode } from './navigation.ts'
import type { Directory } from './written.ts'

export type DirectoryCheck = {
  readonly directory: Directory | undefined
  /** The element that sets `directory`; `name` is how messages refer to it. */
  readonly node: JsonNode
  readonly name: string
  readonly report: Report
}

/** Checks navigation rule 5: a listing is only shown if a group has a root page. */
export function checkDirectory(resolved: NavDivision | NavGroup, check: DirectoryCheck): void {
  const { directory, node, name, report } = check
  if (directory === undefined || directory === 'none' || hasListing(resolved, directory)) return
  report(
    diagnose('nav/directory-without-root', placeOfKeyIn(node, 'directory'), {
      message: `${name} sets \`directory\` to \`${directory}\`, but no group that inherits it has a \`root\` page to show the listing.`,
      hint: 'Give a group a `root` page, or remove `directory`.',
    }),
  )
}

function hasListing(node: NavNode, directory: Directory): boolean {
  if (node.type === 'page') return false
  if (node.type === 'group' && node.directory === directory) return true
  return node.children.some((child) => hasListing(child, directory))
}
