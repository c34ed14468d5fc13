/**
 * Paths of the service's own programs and files in the repository. Published packages have a
 * different layout, so `scripts/build` replaces this module there.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { VERSION } from '@octavo/model'

/**
 * Returns the program that serves the search or the answers of one library in a separate process.
 */
export function libraryProgramFile(): string {
  return pathOf('../reading/libraries/library-program.ts')
}

/** Returns the program that compares the specifications of two deployments. */
export function comparisonProgramFile(): string {
  return pathOf('../publishing/deployments/comparison-program.ts')
}

/** Returns the program that runs a build from Git. */
export function buildProgramFile(): string {
  return pathOf('../publishing/builds/build-process.ts')
}

/** Returns the folders with the code that a build needs: our packages and their dependencies. */
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
 * Returns the npm package of this version's command line, which `npm run build` creates; undefined
 * if it does not exist.
 */
export function commandLineFile(): string | undefined {
  const file = pathOf(`../../../../dist/cli/octavo-${VERSION}.tgz`)
  return existsSync(file) ? file : undefined
}

/** Returns the folder with the pages of the `demo` site. */
export function demoSiteFolder(): string {
  return pathOf('../../demo-site')
}

/**
 * Returns the folder with sample data for the `demo` site: page views, and readers' questions and
 * feedback.
 */
export function demoDataFolder(): string {
  return pathOf('../../demo-data')
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
