/** Where the files of search stand, and how they are written. */
import { deflateRawSync } from 'node:zlib'
import type { AccessLabel } from '@octavo/model'
import { SEARCH_FOLDER } from '@octavo/search'
import { OWN_FOLDER } from '../../plan/own-folder.ts'
import { hashFile } from '../../source/hash-bytes.ts'
import type { SiteOutput } from '../site-output.ts'

export const SECTIONS_FOLDER = `${OWN_FOLDER}/sections`

/** Roots keep their names; all else is named by its content and never changes. */
const DATA_FOLDER = `${SEARCH_FOLDER}-data`

/** Fast, and little larger than the best. */
const COMPRESSION = 3

/** Digits of a hash that are enough that no other content of an index has the same name. */
const HASH_DIGITS = 8

export type DataFile = { readonly name: string; readonly content: Uint8Array | string }

/** The files of one access label. */
export type SearchFiles = {
  readonly output: SiteOutput
  /** What their names have beside those of the main label; nothing for that. */
  readonly name: string
  readonly access: AccessLabel
}

/** Writes content under its hash, after what stands before it. Gives the name. */
export function writeData(files: SearchFiles, { name: start, content }: DataFile): string {
  const name = `${start}${hashFile(content).slice(0, HASH_DIGITS)}`
  writeNamed(files, { name, content })
  return name
}

/** Writes content, compressed, unless it is there already. */
export function writeNamed(files: SearchFiles, { name, content }: DataFile): void {
  const { output, access } = files
  const facts = { key: hashFile(content), access }
  const path = dataPath(files, name)
  if (!output.keep(path, facts)) output.write(path, compress(content), facts)
}

export function dataPath(files: Pick<SearchFiles, 'name'>, name: string): string {
  return `${dataFolder(files)}/${name}.bin`
}

export function dataFolder({ name }: Pick<SearchFiles, 'name'>): string {
  return name === '' ? DATA_FOLDER : `${DATA_FOLDER}/${name}`
}

/** Names of scopes have no underscore. */
export function rootPath({ name }: Pick<SearchFiles, 'name'>, scope: string): string {
  return `${SEARCH_FOLDER}/${scope}${name === '' ? '' : `_${name}`}.bin`
}

/** The sections of the pages that share a folder, for retrieval. */
export function sectionsPath({ name }: Pick<SearchFiles, 'name'>, folder: number): string {
  return `${SECTIONS_FOLDER}/${name === '' ? '' : `${name}/`}${folder}.json`
}

/** Plain hosts do not. */
export function compress(content: Uint8Array | string): Uint8Array {
  return deflateRawSync(content, { level: COMPRESSION })
}
