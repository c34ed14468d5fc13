import {
  type Access,
  type ManifestEntry,
  type ManifestRoot,
  type ManifestRun,
  mayRead,
  omitRanges,
  parseManifestRun,
  type Reader,
  runIndexOf,
} from '@octavo/model'
import { UnreadableIndex } from '../format/unreadable-index.ts'

/** Reads the files of one deployment, wherever they are stored, without access checks. */
export type DeploymentReader = {
  readonly root: ManifestRoot
  /**
   * Returns undefined if the manifest does not list the file. Throws `UnreadableIndex` if the file
   * is too large.
   */
  readonly read: (file: WantedFile) => Promise<DeploymentFile | undefined>
}

/** The parts of a deployment that a library needs if it is opened in another process. */
export type LibraryFiles = Pick<DeploymentReader, 'read'> & {
  readonly root: Pick<ManifestRoot, 'search' | 'sections'> & {
    readonly runs: readonly Pick<ManifestRun, 'count'>[]
  }
}

export type WantedFile = {
  /** The file's path, without a leading slash. */
  readonly path: string
  /** A file with more bytes is not read at all. */
  readonly bytesMax: number
}

export type DeploymentFile = Pick<ManifestEntry, 'access' | 'ranges'> & {
  readonly bytes: Uint8Array
}

/** Reads manifest runs and files from storage, such as a disk or bucket. */
export type DeploymentStorage = {
  readonly readRun: (run: ManifestRun) => Promise<string>
  readonly readFile: (entry: ManifestEntry) => Promise<Uint8Array>
}

/** Looks up files in the runs of the manifest and reads each run once. */
export function createDeploymentReader(
  root: ManifestRoot,
  { readRun, readFile }: DeploymentStorage,
): DeploymentReader {
  const runs = new Map<number, Promise<ReadonlyMap<string, ManifestEntry>>>()
  const loadRun = async (index: number) => {
    const run = root.runs[index]
    if (run === undefined) return new Map<string, ManifestEntry>()
    const parsed = parseManifestRun(await readRun(run), root, index)
    if (parsed.kind === 'malformed') throw new Error(parsed.reason)
    return new Map(parsed.entries.map((entry) => [entry.path, entry]))
  }
  const runOf = (index: number) => {
    const loading = runs.get(index) ?? loadRun(index)
    runs.set(index, loading)
    // Do not cache a failed read.
    loading.catch(() => runs.delete(index))
    return loading
  }
  return {
    root,
    read: async ({ path, bytesMax }) => {
      const entry = (await runOf(runIndexOf(root, path))).get(path)
      if (entry === undefined) return undefined
      checkSize(entry, bytesMax)
      return { ...entry, bytes: await readFile(entry) }
    },
  }
}

/** Every implementation of `DeploymentReader` must call this before it reads a file. */
export function checkSize(
  { path, size }: Pick<ManifestEntry, 'path' | 'size'>,
  bytesMax: number,
): void {
  if (size > bytesMax)
    throw new UnreadableIndex(`The file ${path.slice(0, 200)} has more than ${bytesMax} bytes.`)
}

/** Returns the bytes of a file, or undefined if the reader may not read it. */
export async function readAs(
  reader: Reader,
  deployment: Pick<DeploymentReader, 'read'>,
  wanted: WantedFile,
): Promise<Uint8Array | undefined> {
  const file = await deployment.read(wanted)
  const hasAccess = (access: Access) => mayRead(reader, access)
  if (file === undefined || !hasAccess(file.access)) return undefined
  return omitRanges(file.bytes, file.ranges ?? [], hasAccess)
}
