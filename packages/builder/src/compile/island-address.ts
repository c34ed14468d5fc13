import { hashFile } from '../source/hash-bytes.ts'

/** The folder of all browser code. Its modules import one another by relative URL. */
export const ISLANDS_FOLDER = '/_octavo/islands'

/**
 * The URL of the script that starts the islands of a page. Pages refer to it before it is compiled.
 */
export const ISLAND_LOADER_URL = `${ISLANDS_FOLDER}/load.js`

/**
 * Returns the URL of the module that is compiled from a source file. The URL is known before the
 * compilation, so pages can refer to it while islands are still being collected. It does not change
 * with the content, so it must not be served as immutable.
 */
export function islandModuleUrl(file: string): string {
  return `${ISLANDS_FOLDER}/${islandModuleName(file)}.js`
}

export function islandModuleName(file: string): string {
  return hashFile(file).slice(0, 16)
}
