import {
  type Access,
  leaveOut,
  type ManifestEntry,
  type ManifestRoot,
  type ManifestRun,
  mayRead,
  parseManifestRun,
  type Reader,
  runIndexOf,
} from '@octavo/model'

/** Reads the files of one deployment, wherever they are stored. It knows nothing of readers. */
export type DeploymentReader = {
  readonly root: ManifestRoot
  /** A file by its path, without a slash before it; nothing where the manifest lists none. */
  readonly read: (path: string) => Promise<DeploymentFile | undefined>
}

export type DeploymentFile = Pick<ManifestEntry, 'access' | 'ranges'> & {
  readonly bytes: Uint8Array
}

/** Where runs of the manifest and files are stored. */
export type DeploymentStorage = {
  readonly readRun: (run: ManifestRun) => Promise<string>
  readonly readFile: (entry: ManifestEntry) => Promise<Uint8Array>
}

/** Looks files up in the runs of the manifest, each of which is read once. */
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
    read: async (path) => {
      const entry = (await runOf(runIndexOf(root, path))).get(path)
      return entry && { ...entry, bytes: await readFile(entry) }
    },
  }
}

/** The bytes of a file as one reader may see them; nothing for those who may not read it at all. */
export async function readAs(
  reader: Reader,
  deployment: DeploymentReader,
  path: string,
): Promise<Uint8Array | undefined> {
  const file = await deployment.read(path)
  const hasAccess = (access: Access) => mayRead(reader, access)
  if (file === undefined || !hasAccess(file.access)) return undefined
  return leaveOut(file.bytes, file.ranges ?? [], hasAccess)
}
