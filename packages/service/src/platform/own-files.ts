/**
 * Paths of the service's own programs and files in the repository. Published packages have another
 * layout, so `scripts/build` replaces this module there.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '@octavo/model'

/** The program that serves search or answers from one library in its own process. */
export function libraryProgramFile(): string {
  return pathOf('../reading/libraries/library-program.ts')
}

/** The program that runs a build from Git. */
export function buildProgramFile(): string {
  return pathOf('../publishing/builds/build-process.ts')
}

/** The folders with the code that a build needs: our packages and their dependencies. */
export function buildCodeFolders(): readonly string[] {
  return [pathOf('../../..'), pathOf('../../../../node_modules')]
}

/**
 * Returns a program that connects a sandbox to a proxy, and the paths that must be readable for it
 * to run.
 */
export function sandboxProgram(name: 'socks-relay' | 'tunnel-stdio'): {
  readonly file: string
  readonly readable: readonly string[]
} {
  const readable = [pathOf('./sandbox'), pathOf('../../package.json')]
  return { file: pathOf(`./sandbox/${name}.ts`), readable }
}

/**
 * The command line of this version as an npm package, created by `npm run build`; undefined in a
 * fresh clone.
 */
export function commandLineFile(): string | undefined {
  const file = pathOf(`../../../../dist/cli/octavo-${VERSION}.tgz`)
  return existsSync(file) ? file : undefined
}

/** The pages of the `demo` site. */
export function demoSiteFolder(): string {
  return pathOf('../../demo-site')
}

/** The sample data of the `demo` site's readers: questions, page views and feedback. */
export function demoDataFolder(): string {
  return pathOf('../../demo-data')
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
