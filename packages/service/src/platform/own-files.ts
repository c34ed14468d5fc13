/**
 * Paths of the service's own programs and files in the repository. Packages have another layout: `scripts/build`
 * replaces this module there.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '@octavo/model'

/** The program of a process that opens one library of search or answers. */
export function libraryProgramFile(): string {
  return pathOf('../reading/libraries/library-program.ts')
}

/** The program of a build from Git. */
export function buildProgramFile(): string {
  return pathOf('../publishing/builds/build-process.ts')
}

/** Folders with the code that a build runs: our packages, and those that they need. */
export function buildCodeFolders(): readonly string[] {
  return [pathOf('../../..'), pathOf('../../../../node_modules')]
}

/** A program that leads from inside a sandbox to a proxy, and what has to be visible for it to run. */
export function sandboxProgram(name: 'socks-relay' | 'tunnel-stdio'): {
  readonly file: string
  readonly readable: readonly string[]
} {
  const readable = [pathOf('./sandbox'), pathOf('../../package.json')]
  return { file: pathOf(`./sandbox/${name}.ts`), readable }
}

/** The command line of this version as a package for npm. `npm run build` makes it; a fresh clone has none. */
export function commandLineFile(): string | undefined {
  const file = pathOf(`../../../../dist/cli/octavo-${VERSION}.tgz`)
  return existsSync(file) ? file : undefined
}

/** The pages of the site that `demo` shows. */
export function demoSiteFolder(): string {
  return pathOf('../../demo-site')
}

/** What the readers of that site ask, read and say. */
export function demoDataFolder(): string {
  return pathOf('../../demo-data')
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
