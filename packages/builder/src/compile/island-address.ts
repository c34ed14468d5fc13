import { hashFile } from '../source/hash-bytes.ts'

/** Where all code for browsers lies. Modules import one another from here by relative addresses. */
export const ISLANDS_FOLDER = '/_octavo/islands'

/** The script that starts the islands of a page. Pages are made before it is compiled. */
export const ISLAND_LOADER_URL = `${ISLANDS_FOLDER}/load.js`

/**
 * The address of the module of a source file, known without compiling it: a page can name it while
 * the islands of the site are still being collected. It does not change with the content, so it
 * must not be served as immutable.
 */
export function islandModuleUrl(file: string): string {
  return `${ISLANDS_FOLDER}/${islandModuleName(file)}.js`
}

export function islandModuleName(file: string): string {
  return hashFile(file).slice(0, 16)
}
