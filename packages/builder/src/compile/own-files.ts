/**
 * The locations of the builder's own files in the repository. The published package has another
 * layout: `scripts/build` replaces this module there.
 */
import { fileURLToPath } from 'node:url'
import type { Translations } from '@octavo/theme'

/** The entry file of a worker process. */
export function workerFile(): string {
  return fileURLToPath(new URL('./page-worker.ts', import.meta.url))
}

/** The entry file of the background build of `octavo dev`. */
export function buildProcessFile(): string {
  return fileURLToPath(new URL('../dev/build-process.ts', import.meta.url))
}

/** Folders with the code that a worker runs: ours and our dependencies'. */
export function readableFolders(): readonly string[] {
  return ['../../..', '../../../../node_modules'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  )
}

/** Pre-translated patterns of a language; only the published package has them. */
export function translatedPatterns(_language: string): Translations | undefined {
  return undefined
}

/** Returns the path of one of our browser scripts, such as `site`. */
export function browserScript(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.resolve('@octavo/browser')))
}
