import type { BuiltIslands } from '../islands/build-islands.ts'
import type { SiteOutput } from './site-output.ts'

/** Writes what pages need to run their islands. */
export function writeIslands(output: SiteOutput, { key, files }: BuiltIslands): void {
  const facts = { key, access: 'default' } as const
  for (const { path, code } of files) {
    if (!output.keep(path, facts)) output.write(path, code, facts)
  }
}
