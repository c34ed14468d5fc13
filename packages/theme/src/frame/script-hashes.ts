import type { Navigation } from '@octavo/model'
import { HEAD_SCRIPT_HASH, PAUSE_SCRIPT_HASH } from './head-script.ts'
import { hasSharedPages } from './page-sections.ts'
import { SECTION_SCRIPT_HASH } from './section-script.ts'

/** Hashes of the inline scripts of a site, for its content security policy. */
export function scriptHashes(navigation: Navigation): readonly string[] {
  const hashes = [HEAD_SCRIPT_HASH, PAUSE_SCRIPT_HASH]
  return hasSharedPages(navigation) ? [...hashes, SECTION_SCRIPT_HASH] : hashes
}
