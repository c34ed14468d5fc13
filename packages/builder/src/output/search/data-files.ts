/** Paths of search files and functions to write them. */
import { deflateRawSync } from 'node:zlib'
import type { AccessLabel } from '@octavo/model'
import { SEARCH_FOLDER } from '@octavo/search'
import { OWN_FOLDER } from '../../plan/own-folder.ts'
import { hashFile } from '../../source/hash-bytes.ts'
import type { SiteOutput } from '../site-output.ts'

export const SECTIONS_FOLDER = `${OWN_FOLDER}/sections`

/** Root files have fixed names; all others are named by their content and never change. */
const DATA_FOLDER = `${SEARCH_FOLDER}-data`

/** Fast, and only slightly larger than the best level. */
const COMPRESSION = 3

/** Hash digits that make collisions within an index unlikely. */
const HASH_DIGITS = 8

export type DataFile = { readonly name: string; readonly content: Uint8Array | string }

/** The files of one access label. */
export type SearchFiles = {
  readonly output: SiteOutput
  /** A suffix for files of the label; empty for the main label. */
  readonly name: string
  readonly access: AccessLabel
}

/** Writes content under a name with its hash, and returns the name. */
export function writeData(files: SearchFiles, { name: start, content }: DataFile): string {
  const name = `${start}${hashFile(content).slice(0, HASH_DIGITS)}`
  writeNamed(files, { name, content })
  return name
}

/** Writes compressed content unless it exists already. */
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

/** Scope names contain no underscore, so the path is unambiguous. */
export function rootPath({ name }: Pick<SearchFiles, 'name'>, scope: string): string {
  return `${SEARCH_FOLDER}/${scope}${name === '' ? '' : `_${name}`}.bin`
}

/** Returns the path of a page folder's sections, for retrieval. */
export function sectionsPath({ name }: Pick<SearchFiles, 'name'>, folder: number): string {
  return `${SECTIONS_FOLDER}/${name === '' ? '' : `${name}/`}${folder}.json`
}

/** Compressed in advance, since plain hosts do not compress these files. */
export function compress(content: Uint8Array | string): Uint8Array {
  return deflateRawSync(content, { level: COMPRESSION })
}
