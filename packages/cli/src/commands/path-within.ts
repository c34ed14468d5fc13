import path, { type PlatformPath } from 'node:path'

/**
 * Returns the path relative to a folder, with `/` on every system; undefined if it is outside the
 * folder.
 */
export function pathWithin(
  folder: string,
  { target, system = path }: { readonly target: string; readonly system?: PlatformPath },
): string | undefined {
  const way = system.relative(folder, target)
  // On Windows there is no relative path between two drives.
  if (way === '..' || way.startsWith(`..${system.sep}`) || system.isAbsolute(way)) return undefined
  return way.split(system.sep).join('/')
}
