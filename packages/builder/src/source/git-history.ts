/**
 * When the files of a folder last changed, from its Git history. It is read when the first date is
 * asked for, since few sites show any.
 */
import { runGit } from './run-git.ts'

/** Gives ISO dates by path from `root`; nothing for a file without history. */
export function gitHistory(root: string): (path: string) => string | undefined {
  let dates: ReadonlyMap<string, string> | undefined
  return (path) => {
    dates ??= readDates(root)
    return dates.get(path)
  }
}

function readDates(root: string): ReadonlyMap<string, string> {
  const dates = new Map<string, string>()
  // A clone without its past says of every file that it is new.
  if (runGit(root, ['rev-parse', '--is-shallow-repository'])?.trim() !== 'false') return dates
  const args = ['log', '--format=%x01%ct', '--name-only', '--relative', '--no-renames', '-z']
  let date = ''
  for (const part of (runGit(root, [...args, '--', '.']) ?? '').split('\0')) {
    const text = part.replace(/^\n/, '')
    if (text.startsWith('\x01')) date = new Date(Number(text.slice(1)) * 1_000).toISOString()
    // The latest comes first.
    else if (text !== '' && !dates.has(text)) dates.set(text, date)
  }
  return dates
}
