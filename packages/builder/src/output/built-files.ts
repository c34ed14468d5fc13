/** Reads a built folder as blobs: the runs of its manifest and its files, by digest. */
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseManifestRoot, parseManifestRun } from '@octavo/model'
import { type BuiltFindings, FINDINGS_FILE, parseFindings } from './findings-file.ts'

const MANIFEST = '_octavo/manifest.json'

export type BuiltFiles = {
  /** The text of the manifest's root. */
  readonly root: string
  /** The number of files of the site. */
  readonly count: number
  readonly has: (sha256: string) => boolean
  readonly sizeOf: (sha256: string) => number
  /** Returns the number of site files with these bytes, or 0 for a run of the manifest. */
  readonly filesWith: (sha256: string) => number
  /** Returns the path of a file with these bytes. */
  readonly pathOf: (sha256: string) => string
  /**
   * Returns what to compare the bytes with in another deployment: the file with the same path, or
   * the run that lists the same first path.
   */
  readonly placeOf: (sha256: string) => BlobPlace
  /** Returns the bytes of a file. Throws if the file does not match the manifest. */
  readonly read: (sha256: string) => Buffer
  /** Errors and warnings of the build; undefined for a build without any. */
  readonly findings: BuiltFindings | undefined
}

type BlobPlace = { readonly kind: 'file' | 'run'; readonly path: string }

/** Thrown if a build did not write the folder, or the folder has been changed since. */
export class BuiltFilesError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BuiltFilesError'
  }
}

/**
 * Opens a built folder. Only files inside the folder are read, so that its author cannot refer to
 * files elsewhere.
 */
export function openBuiltFiles(folder: string): BuiltFiles {
  const root = readInside(folder, MANIFEST).toString('utf8')
  const parsed = parseManifestRoot(root)
  if (parsed.kind === 'malformed') throw new BuiltFilesError(`${MANIFEST}: ${parsed.reason}`)
  const blobs = new Map<string, { readonly path: string; readonly size: number }>()
  const firstOfRun = new Map(parsed.root.runs.map(({ sha256, first }) => [sha256, first]))
  const filesWith = new Map<string, number>()
  let count = 0
  for (const [index, { sha256 }] of parsed.root.runs.entries()) {
    const path = `_octavo/manifest/${sha256}.json`
    const text = readInside(folder, path).toString('utf8')
    const run = parseManifestRun(text, parsed.root, index)
    if (run.kind === 'malformed') throw new BuiltFilesError(`${path}: ${run.reason}`)
    blobs.set(sha256, { path, size: Buffer.byteLength(text) })
    for (const entry of run.entries) {
      blobs.set(entry.sha256, entry)
      filesWith.set(entry.sha256, (filesWith.get(entry.sha256) ?? 0) + 1)
    }
    count += run.entries.length
  }
  return {
    root,
    count,
    findings: readFindings(folder),
    has: (sha256) => blobs.has(sha256),
    filesWith: (sha256) => filesWith.get(sha256) ?? 0,
    sizeOf: (sha256) => blobs.get(sha256)?.size ?? 0,
    pathOf: (sha256) => blobs.get(sha256)?.path ?? '',
    placeOf(sha256) {
      const first = firstOfRun.get(sha256)
      if (first !== undefined) return { kind: 'run', path: first }
      return { kind: 'file', path: blobs.get(sha256)?.path ?? '' }
    },
    read(sha256) {
      const { path = '' } = blobs.get(sha256) ?? {}
      const bytes = readInside(folder, path)
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new BuiltFilesError(`${path} was changed after the build. Build the site again.`)
      return bytes
    },
  }
}

function readFindings(folder: string): BuiltFindings | undefined {
  const found = lstatSync(join(folder, FINDINGS_FILE), { throwIfNoEntry: false })
  if (found === undefined) return undefined
  const findings = parseFindings(readInside(folder, FINDINGS_FILE).toString('utf8'))
  if (findings !== undefined) return findings
  throw new BuiltFilesError(`${FINDINGS_FILE} cannot be read. Build the site again.`)
}

function readInside(folder: string, path: string): Buffer {
  const file = join(folder, path)
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new BuiltFilesError(
      `"${folder}" was not written by \`octavo build\`: ${path} is missing.`,
    )
  if (!realpathSync(file).startsWith(realpathSync(folder) + sep))
    throw new BuiltFilesError(`${path} points outside the site folder.`)
  return readFileSync(file)
}
