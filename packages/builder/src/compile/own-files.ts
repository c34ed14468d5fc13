/**
 * Returns the locations of the builder's own files in the repository. The published package has a
 * different layout, for which `scripts/build` replaces this module.
 */
import { fileURLToPath } from 'node:url'
import type { Translations } from '@octavo/theme'

/** Returns the entry file of a worker process. */
export function workerFile(): string {
  return fileURLToPath(new URL('./page-worker.ts', import.meta.url))
}

/** Returns the entry file of the background build of `octavo dev`. */
export function buildProcessFile(): string {
  return fileURLToPath(new URL('../dev/build-process.ts', import.meta.url))
}

/**
 * Returns the folders with the code that a worker runs: our own code and that of its dependencies.
 */
export function readableFolders(): readonly string[] {
  return ['../../..', '../../../../node_modules'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  )
}

/** Returns the pre-translated patterns of a language, which only the published package contains. */
export function translatedPatterns(_language: string): Translations | undefined {
  return undefined
}

/** Returns the path of one of our browser scripts by its name, such as `site`. */
export function browserScript(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.resolve('@octavo/browser')))
}
