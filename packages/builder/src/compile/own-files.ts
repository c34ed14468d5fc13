/**
 * Where the files of the builder itself are, as they stand in the repository. In the package that
 * users install they stand elsewhere: `scripts/build` puts another module in the place of this one.
 */
import { fileURLToPath } from 'node:url'
import type { Translations } from '@octavo/theme'

/** The program of a worker process. */
export function workerFile(): string {
  return fileURLToPath(new URL('./page-worker.ts', import.meta.url))
}

/** The program of a build that `octavo dev` does behind. */
export function buildProcessFile(): string {
  return fileURLToPath(new URL('../dev/build-process.ts', import.meta.url))
}

/** Folders with the code that a worker runs: ours, and that of our dependencies. */
export function readableFolders(): readonly string[] {
  return ['../../..', '../../../../node_modules'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  )
}

/** Patterns of a language that were translated ahead; only the package has them. */
export function translatedPatterns(_language: string): Translations | undefined {
  return undefined
}

/** A file of our browser code, such as `site`. */
export function browserScript(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.resolve('@octavo/browser')))
}
