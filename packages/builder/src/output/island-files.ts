import type { BuiltIslands } from '../islands/build-islands.ts'
import type { SiteOutput } from './site-output.ts'

/** Writes what pages need to run their islands. */
export function writeIslands(output: SiteOutput, { key, files }: BuiltIslands): void {
  for (const { path, code } of files) if (!output.keep(path, key)) output.write(path, key, code)
}
