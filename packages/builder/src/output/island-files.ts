import type { BuiltIslands } from '../islands/build-islands.ts'
import type { SiteOutput } from './site-output.ts'

/** Writes the files that pages need to run their islands. */
export function writeIslands(output: SiteOutput, { key, files }: BuiltIslands): void {
  const facts = { key, access: 'default' } as const
  // Our own scripts contain no page content, so they are public.
  const own = { key, access: 'public' } as const
  for (const { path, code, isOwn } of files) {
    if (!output.keep(path, isOwn ? own : facts)) output.write(path, code, isOwn ? own : facts)
  }
}
