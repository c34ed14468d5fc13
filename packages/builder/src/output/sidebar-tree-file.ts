import type { AccessLabel } from '@octavo/model'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

/**
 * Writes the part of a large sidebar that pages omit and returns its URL. Only readers of the
 * section's pages see the URL, so its hash reveals nothing to others.
 */
export function writeSidebarTree(output: SiteOutput, text: string, access: AccessLabel): string {
  const path = `${OWN_FOLDER}/nav/${hashFile(text).slice(0, 16)}.json`
  output.write(path, text, { access })
  return `/${path}`
}
