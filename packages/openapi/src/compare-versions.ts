/** Compares two versions of an API that may have several specifications. */

import { parseConfig, type SpecificationOverlays } from '@octavo/model'
import type { ApiChange } from './differences/api-change.ts'
import { compareSpecifications } from './differences/compare-specifications.ts'
import type { ReadFile } from './linking/linked-files.ts'
import { parseSpecification } from './parse-specification.ts'
import type { Specification } from './specification.ts'

export type SpecificationVersion = {
  /** The specifications by their path in the folder. A single file has its name. */
  readonly texts: ReadonlyMap<string, string>
  readonly isFolder: boolean
  /** Returns other files of the same folder or host, to which references may lead. */
  readonly read?: ReadFile
  /** The overlays that docs.json names for each specification. */
  readonly overlays?: SpecificationOverlays
}

type Side = 'old' | 'new'

/** The changes of one specification, or the reason why a version of it cannot be read. */
export type SpecificationChanges = {
  /** The path of the specification in the new version; in the old one if it was removed. */
  readonly file: string
  readonly changes: readonly ApiChange[]
  /** The version of the API in the new document: its `info.version`. */
  readonly version?: string | undefined
  readonly problem?: { readonly side: Side; readonly reason: string }
}

/** Matches the names of files that may be specifications. */
export const SPECIFICATION_FILE = /\.(?:json|ya?ml)$/i
/** Matches texts that may be specifications; others in a folder are skipped. */
const SPECIFICATION = /(?:^|[\s{,])["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/
/** Matches overlays that name the specification that they change. */
const EXTENDING = /(?:^|[\s{,])["']?overlay["']?\s*:\s*["']?\d[\s\S]*["']?extends["']?\s*:/
/** A specification names its version near its start. */
const START_LENGTH = 10_000
/** Matches a reference to another file. */
const OTHER_FILE = /["']?\$ref["']?\s*:\s*["']?[^\s"'#]/

/** A specification that one version does not have is compared as one without operations. */
const EMPTY = 'openapi: 3.1.0\ninfo: {title: none, version: none}\npaths: {}\n'

/** Returns the version whose specifications are in these files. */
export function folderVersion(
  files: Iterable<readonly [path: string, text: string]>,
): SpecificationVersion {
  const all = new Map(files)
  const read = (path: string) => all.get(path)
  const config = all.get('docs.json')
  const { overlays } =
    config === undefined
      ? { overlays: new Map() }
      : parseConfig({ file: 'docs.json', text: config, readPart: read })
  const applied = new Set([...overlays.values()].flat().map(({ source }) => source))
  const texts = [...all].filter(([file, text]) => {
    const start = text.slice(0, START_LENGTH)
    return SPECIFICATION.test(start) || (EXTENDING.test(start) && !applied.has(file))
  })
  return { texts: new Map(texts), isFolder: true, read, overlays }
}

/** Compares two folders by the paths of their specifications, or two single files. */
export function compareVersions(
  old: SpecificationVersion,
  added: SpecificationVersion,
): readonly SpecificationChanges[] {
  return namesOf(old, added).map(([oldName, file]) => {
    const [before, after] = [old.texts.get(oldName), added.texts.get(file)]
    if (before === after && before !== undefined && isAlone(oldName, old) && isAlone(file, added))
      return { file, changes: [] }
    const oldSide = parse(oldName, 'old', old)
    const newSide = parse(file, 'new', added)
    if (!('specification' in oldSide)) return { file, changes: [], problem: oldSide }
    if (!('specification' in newSide)) return { file, changes: [], problem: newSide }
    const changes = compareSpecifications(oldSide.specification, newSide.specification)
    return { file, changes, version: after && apiVersion(newSide.specification) }
  })
}

/** Returns true for a specification that no other file can change. */
function isAlone(name: string, { texts, overlays }: SpecificationVersion): boolean {
  const text = texts.get(name) ?? ''
  return !OTHER_FILE.test(text) && !EXTENDING.test(text) && overlays?.get(name) === undefined
}

function apiVersion({ document }: Specification): string | undefined {
  return document.textField(document.field(document.root, 'info'), 'version')
}

/** Returns the names of each specification in both versions. */
function namesOf(
  old: SpecificationVersion,
  added: SpecificationVersion,
): readonly (readonly [old: string, name: string])[] {
  const names = [...old.texts.keys()]
  if (!old.isFolder)
    return names.flatMap((name) => [...added.texts.keys()].map((other) => [name, other] as const))
  return [...new Set([...names, ...added.texts.keys()])].map((name) => [name, name])
}

type Parsed =
  | { readonly specification: Specification }
  | { readonly side: Side; readonly reason: string }

function parse(name: string, side: Side, version: SpecificationVersion): Parsed {
  const { texts, read, overlays } = version
  const { specification, diagnostics } = parseSpecification(name, texts.get(name) ?? EMPTY, {
    read,
    overlays: overlays?.get(name),
    skipsExamples: true,
  })
  if (specification !== undefined) return { specification }
  const [first] = diagnostics
  return { side, reason: first === undefined ? '' : `${first.message} ${first.hint}` }
}
