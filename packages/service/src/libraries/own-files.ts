/** Where the program of library processes is; a package that is bundled puts another module here. */
import { fileURLToPath } from 'node:url'

export function libraryProgramFile(): string {
  return fileURLToPath(new URL('./library-program.ts', import.meta.url))
}
