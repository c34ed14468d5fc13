import type { Navigation } from '@octavo/model'
import { HEAD_SCRIPT_HASH, PAUSE_SCRIPT_HASH } from './head-script.ts'
import { PageVersions } from './page-versions.ts'
import { VERSION_SCRIPT_HASH } from './version-script.ts'

/** Of the scripts that stand in the pages of a site, for its content security policy. */
export function scriptHashes(navigation: Navigation): readonly string[] {
  const { areNeeded } = new PageVersions(navigation)
  const hashes = [HEAD_SCRIPT_HASH, PAUSE_SCRIPT_HASH]
  return areNeeded ? [...hashes, VERSION_SCRIPT_HASH] : hashes
}
