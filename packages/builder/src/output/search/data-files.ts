/** Where the files of search stand, and how they are written. */
import { deflateRawSync } from 'node:zlib'
import { SEARCH_FOLDER } from '@octavo/search'
import { hashFile } from '../../source/hash-bytes.ts'
import type { SiteOutput } from '../site-output.ts'

/** Roots keep their names; all else is named by its content and never changes. */
export const DATA_FOLDER = `${SEARCH_FOLDER}-data`

/** Fast, and little larger than the best. */
const COMPRESSION = 3

/** Digits of a hash that are enough that no other content of an index has the same name. */
const HASH_DIGITS = 8

export type DataFile = { readonly name: string; readonly content: Uint8Array | string }

/** Writes content under its hash, after what stands before it. Gives the name. */
export function writeData(output: SiteOutput, { name: start, content }: DataFile): string {
  const name = `${start}${hashFile(content).slice(0, HASH_DIGITS)}`
  writeNamed(output, { name, content })
  return name
}

/** Writes content, compressed, unless it is there already. */
export function writeNamed(output: SiteOutput, { name, content }: DataFile): void {
  const facts = { key: hashFile(content), access: 'default' } as const
  const path = dataPath(name)
  if (!output.keep(path, facts)) output.write(path, compress(content), facts)
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
