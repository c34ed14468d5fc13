import path, { type PlatformPath } from 'node:path'

/** The path from a folder, with `/` on every system; nothing when it leads out of it. */
export function pathWithin(
  folder: string,
  { target, system = path }: { readonly target: string; readonly system?: PlatformPath },
): string | undefined {
  const way = system.relative(folder, target)
  // On Windows there is no way from one drive to another.
  if (way === '..' || way.startsWith(`..${system.sep}`) || system.isAbsolute(way)) return undefined
  return way.split(system.sep).join('/')
}
