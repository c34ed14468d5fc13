/** Where the files of search stand, and how they are written. */
import { deflateRawSync } from 'node:zlib'
import { SEARCH_FOLDER } from '@octavo/theme'
import { hashFile } from '../hash-bytes.ts'
import type { OutputFolder } from '../output-folder.ts'

/** Roots keep their names; all else is named by its content and never changes. */
export const DATA_FOLDER = `${SEARCH_FOLDER}-data`

/** Fast, and little larger than the best. */
const COMPRESSION = 3
export type DataFile = {
  /** What stands before the hash. */
  readonly name: string
  /** How many digits of the hash: enough that no other content has the same name. */
  readonly digits: number
  readonly content: Uint8Array
}

/** Writes content under its hash, compressed, unless it is there already. Gives the name. */
export function writeData(
  output: OutputFolder,
  { name: start, digits, content }: DataFile,
): string {
  const hash = hashFile(content)
  const name = `${start}${hash.slice(0, digits)}`
  const path = dataPath(name)
  if (!output.keep(path, hash)) output.write(path, hash, compress(content))
  return name
}

export function dataPath(name: string): string {
  return `${DATA_FOLDER}/${name}.bin`
}

export function rootPath(scope: string): string {
  return `${SEARCH_FOLDER}/${scope}.bin`
}

/** Plain hosts do not. */
export function compress(content: Uint8Array | string): Uint8Array {
  return deflateRawSync(content, { level: COMPRESSION })
}
