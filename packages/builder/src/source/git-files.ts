import { basename } from 'node:path'
import { readGit, runGit } from './run-git.ts'

export type GitFiles = {
  /** A branch, a tag or a commit. */
  readonly ref: string
  /** A file or a folder, relative to the folder in which Git runs. */
  readonly path: string
  /** Matches the files of a folder to read. */
  readonly names: RegExp
}

/** The maximum number of files of a folder that are read from a commit. */
const FILES_MAX = 1_000

/**
 * Returns the files of a commit: a file by its name, or the files of a folder by their path in it.
 * Returns undefined if the commit has no such path.
 */
export function readGitFiles(
  folder: string,
  { ref, path, names }: GitFiles,
): readonly (readonly [path: string, text: string])[] | undefined {
  const commit = runGit(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${ref}^{commit}`,
  ])?.trim()
  if (commit === undefined) return undefined
  const at = path === '' ? './' : `./${path.replace(/^\.\//, '')}`
  const read = (file: string) =>
    readGit(folder, ['cat-file', 'blob', `${commit}:${file}`])?.toString('utf8')
  const only = at === './' ? undefined : read(at)
  if (only !== undefined) return [[basename(path), only]]
  const inside = at.replace(/\/?$/, '/')
  const listed = runGit(folder, [
    'ls-tree',
    '-r',
    '-z',
    '--name-only',
    '--full-name',
    `${commit}:${inside}`,
  ])
  if (listed === undefined) return undefined
  const files = listed.split('\0').filter((name) => names.test(name))
  return files.slice(0, FILES_MAX).flatMap((name) => {
    const text = read(`${inside}${name}`)
    return text === undefined ? [] : [[name, text] as const]
  })
}
