/**
 * The dates of the last changes of files, from the Git history. Read on demand, since few sites
 * show dates.
 */
import { runGit } from './run-git.ts'

/** Commits may claim any time. A time that a date cannot represent is ignored. */
const SECONDS_MAX = Date.UTC(9999, 11, 31) / 1_000

/** Returns ISO dates by path from `root`; undefined for a file without history. */
export function gitHistory(root: string): (path: string) => string | undefined {
  let dates: ReadonlyMap<string, string> | undefined
  return (path) => {
    dates ??= readDates(root)
    return dates.get(path)
  }
}

function readDates(root: string): ReadonlyMap<string, string> {
  const dates = new Map<string, string>()
  // In a shallow clone every file looks new.
  if (runGit(root, ['rev-parse', '--is-shallow-repository'])?.trim() !== 'false') return dates
  const args = ['log', '--format=%x01%ct', '--name-only', '--relative', '--no-renames', '-z']
  let date: string | undefined
  for (const part of (runGit(root, [...args, '--', '.']) ?? '').split('\0')) {
    const text = part.replace(/^\n/, '')
    if (text.startsWith('\x01')) {
      const at = Number(text.slice(1))
      date = at <= SECONDS_MAX ? new Date(at * 1_000).toISOString() : undefined
      // The latest commit comes first.
    } else if (date !== undefined && text !== '' && !dates.has(text)) dates.set(text, date)
  }
  return dates
}
