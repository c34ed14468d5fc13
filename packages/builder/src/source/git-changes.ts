/**
 * Finds what has changed in a folder since a commit, including uncommitted changes: the changed
 * lines in the current files, and the earlier content of files.
 */
import { isNeverContent } from './read-folder.ts'
import { readGit, runGit } from './run-git.ts'
import type { SourceTree } from './source-tree.ts'

export type GitChanges = {
  /**
   * Checks whether the author added or changed a line. In a new file, this is true for every line.
   */
  readonly hasLine: (place: { readonly file: string; readonly line: number }) => boolean
  /** The earlier paths of renamed files, by their current path. */
  readonly renamed: ReadonlyMap<string, string>
  /** Returns the earlier state of the folder, given its current state. */
  readonly before: (now: SourceTree) => SourceTree
}

/** A changed file. A path is missing if the file was deleted or is new. */
type ChangedFile = {
  readonly now: string | undefined
  readonly was: string | undefined
  /** Git's name for the earlier content. */
  readonly blob: string
}

/**
 * Reads the changes since the current branch started from `ref`, so that a pull request is compared
 * with its base and not with what others have merged since. Returns undefined if there is no
 * repository or no such commit.
 */
export function readGitChanges(folder: string, ref: string): GitChanges | undefined {
  const verify = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const commit = runGit(folder, verify)?.trim()
  if (commit === undefined) return undefined
  const base = runGit(folder, ['merge-base', commit, 'HEAD'])?.trim() ?? commit
  const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '-M', '--relative']
  const raw = runGit(folder, [...diff, '--raw', '--no-abbrev', '-z', base, '--', '.'])
  const patch = runGit(folder, [...diff, '--unified=0', base, '--', '.'])
  const others = runGit(folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.'])
  if (raw === undefined || patch === undefined || others === undefined) return undefined
  const files = parseRaw(raw)
  const created = new Set([
    ...split(others),
    ...files.flatMap(({ now, was }) => (was === undefined && now !== undefined ? [now] : [])),
  ])
  const lines = parsePatch(patch)
  return {
    hasLine: ({ file, line }) => created.has(file) || lines.get(file)?.has(line) === true,
    renamed: new Map(
      files.flatMap(({ now, was }) =>
        now !== undefined && was !== undefined && now !== was ? [[now, was] as const] : [],
      ),
    ),
    before: (now) => treeBefore(now, { folder, files, created }),
  }
}

/**
 * Parses the output `:mode mode blob blob status`, followed by one path, or by two for a renamed
 * file.
 */
function parseRaw(raw: string): readonly ChangedFile[] {
  const parts = split(raw)
  const files: ChangedFile[] = []
  for (let at = 0; at < parts.length; ) {
    const [, , blob = '', , status = ''] = (parts[at] ?? '').split(' ')
    const path = parts[at + 1]
    if (/^[RC]/.test(status)) {
      files.push({ was: status.startsWith('R') ? path : undefined, now: parts[at + 2], blob })
      at += 3
    } else {
      const was = status === 'A' ? undefined : path
      files.push({ was, now: status === 'D' ? undefined : path, blob })
      at += 2
    }
  }
  return files
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** Returns the changed lines of each file, from a patch that has no context lines. */
function parsePatch(patch: string): ReadonlyMap<string, ReadonlySet<number>> {
  const changed = new Map<string, Set<number>>()
  let lines = new Set<number>()
  /** Number of lines that remain in the hunk. Their text may look like a header. */
  let left = 0
  for (const text of patch.split('\n')) {
    if (text.startsWith('\\')) continue
    if (left > 0) {
      left -= 1
      continue
    }
    if (text.startsWith('+++ ')) {
      lines = new Set()
      changed.set(text.slice('+++ b/'.length).replace(/\t$/, ''), lines)
    }
    const hunk = HUNK.exec(text)
    if (hunk === null) continue
    const [, removed = '1', first = '1', added = '1'] = hunk
    for (let line = 0; line < Number(added); line += 1) lines.add(Number(first) + line)
    left = Number(removed) + Number(added)
  }
  return changed
}

function treeBefore(
  now: SourceTree,
  {
    folder,
    files,
    created,
  }: {
    readonly folder: string
    readonly files: readonly ChangedFile[]
    readonly created: ReadonlySet<string>
  },
): SourceTree {
  const blobs = new Map(
    files.flatMap(({ was, blob }) =>
      was === undefined || was.split('/').some(isNeverContent) ? [] : [[was, blob] as const],
    ),
  )
  const gone = new Set([...created, ...files.flatMap(({ now: path }) => path ?? [])])
  const readBytes = (path: string): Uint8Array | undefined => {
    const blob = blobs.get(path)
    if (blob !== undefined) return readGit(folder, ['cat-file', 'blob', blob])
    return gone.has(path) ? undefined : now.readBytes(path)
  }
  const isSame = (path: string) => !blobs.has(path) && !gone.has(path)
  return {
    changedAt: now.changedAt,
    diagnostics: now.diagnostics,
    files: [...now.files.filter((path) => !gone.has(path)), ...blobs.keys()].toSorted(),
    folder: undefined,
    readBytes,
    read: (path) => (isSame(path) ? now.read(path) : textOf(readBytes(path))),
    readHead: (path, lengthMax) =>
      isSame(path) ? now.readHead(path, lengthMax) : readBytes(path)?.subarray(0, lengthMax),
    stampOf: (path) => blobs.get(path) ?? (gone.has(path) ? '' : now.stampOf(path)),
  }
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

function split(text: string): readonly string[] {
  return text.split('\0').filter((part) => part !== '')
}
