/** Stands in the place of the builder's `own-files.ts`: all programs of the package are in one folder. */
import { fileURLToPath } from 'node:url'

export function workerFile(): string {
  return fileURLToPath(new URL('./page-worker.js', import.meta.url))
}
