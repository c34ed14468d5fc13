import type { Navigation } from '@octavo/model'
import { HEAD_SCRIPT_HASH, PAUSE_SCRIPT_HASH } from './head-script.ts'
import { hasSharedPages } from './page-sections.ts'
import { SECTION_SCRIPT_HASH } from './section-script.ts'
import { hasLargeSections, TREE_SCRIPT_HASH } from './sidebar-tree.ts'

/** Returns the hashes of the inline scripts of a site, for its content security policy. */
export function scriptHashes(navigation: Navigation): readonly string[] {
  return [
    HEAD_SCRIPT_HASH,
    PAUSE_SCRIPT_HASH,
    ...(hasSharedPages(navigation) ? [SECTION_SCRIPT_HASH] : []),
    ...(hasLargeSections(navigation) ? [TREE_SCRIPT_HASH] : []),
  ]
}
