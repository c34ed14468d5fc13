/**
 * Reads the dates of the last changes of files from the Git history. They are read on demand, since
 * few sites show dates.
 */
import { runGit } from './run-git.ts'

/**
 * The latest accepted time. A commit can claim any time, so times that a date cannot represent are
 * ignored.
 */
const SECONDS_MAX = Date.UTC(9999, 11, 31) / 1_000

/**
 * Returns a function that looks up ISO dates by path relative to `root`; it returns undefined for a
 * file without history.
 */
export function gitHistory(root: string): (path: string) => string | undefined {
  let dates: ReadonlyMap<string, string> | undefined
  return (path) => {
    dates ??= readDates(root)
    return dates.get(path)
  }
}

function readDates(root: string): ReadonlyMap<string, string> {
  const dates = new Map<string, string>()
  // In a shallow clone, every file looks new.
  if (runGit(root, ['rev-parse', '--is-shallow-repository'])?.trim() !== 'false') return dates
  const args = ['log', '--format=%x01%ct', '--name-only', '--relative', '--no-renames', '-z']
  let date: string | undefined
  for (const part of (runGit(root, [...args, '--', '.']) ?? '').split('\0')) {
    const text = part.replace(/^\n/, '')
    if (text.startsWith('\x01')) {
      const at = Number(text.slice(1))
      date = at <= SECONDS_MAX ? new Date(at * 1_000).toISOString() : undefined
      // The latest commit comes first, so earlier ones do not replace its date.
    } else if (date !== undefined && text !== '' && !dates.has(text)) dates.set(text, date)
  }
  return dates
}
