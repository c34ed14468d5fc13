/** Defines the paths of search files and writes the files. */
import { deflateRawSync } from 'node:zlib'
import type { AccessLabel } from '@octavo/model'
import { SEARCH_FOLDER } from '@octavo/search'
import { OWN_FOLDER } from '../../plan/own-folder.ts'
import { hashFile } from '../../source/hash-bytes.ts'
import type { SiteOutput } from '../site-output.ts'

export const SECTIONS_FOLDER = `${OWN_FOLDER}/sections`

/**
 * The folder of all search files except the roots. The names of these files contain a hash of the
 * content, so a file never changes.
 */
const DATA_FOLDER = `${SEARCH_FOLDER}-data`

/**
 * The compression level. It is fast, and the files are only slightly larger than at the best level.
 */
const COMPRESSION = 3

/** The number of digits of a hash. With this many, collisions within an index are unlikely. */
const HASH_DIGITS = 8

export type DataFile = { readonly name: string; readonly content: Uint8Array | string }

/** Describes the search files of one access label. */
export type SearchFiles = {
  readonly output: SiteOutput
  /** A suffix for the names of the label's files; empty for the main label. */
  readonly name: string
  readonly access: AccessLabel
}

/** Writes content to a file whose name contains its hash, and returns that name. */
export function writeData(files: SearchFiles, { name: start, content }: DataFile): string {
  const name = `${start}${hashFile(content).slice(0, HASH_DIGITS)}`
  writeNamed(files, { name, content })
  return name
}

/** Compresses and writes content unless the file already exists. */
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

/**
 * Returns the path of an index root. Scope names contain no underscore, so the path is unambiguous.
 */
export function rootPath({ name }: Pick<SearchFiles, 'name'>, scope: string): string {
  return `${SEARCH_FOLDER}/${scope}${name === '' ? '' : `_${name}`}.bin`
}

/**
 * Returns the path of the file with the sections of a page folder, from which questions are
 * answered.
 */
export function sectionsPath({ name }: Pick<SearchFiles, 'name'>, folder: number): string {
  return `${SECTIONS_FOLDER}/${name === '' ? '' : `${name}/`}${folder}.json`
}

/** Compresses content in advance, since plain hosts do not compress these files. */
export function compress(content: Uint8Array | string): Uint8Array {
  return deflateRawSync(content, { level: COMPRESSION })
}
