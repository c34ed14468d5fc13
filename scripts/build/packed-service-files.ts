/** Replaces the service's `own-files.ts` in the package, where all programs are in one folder. */
import { fileURLToPath } from 'node:url'
import { VERSION } from '../../packages/model/src/version.ts'
import { readableFolders } from './packed-builder-files.ts'

export function libraryProgramFile(): string {
  return pathOf('./library-program.js')
}

export function comparisonProgramFile(): string {
  return pathOf('./comparison-program.js')
}

export function buildProgramFile(): string {
  return pathOf('./build-program.js')
}

export function buildCodeFolders(): readonly string[] {
  return readableFolders()
}

export function sandboxProgram(name: 'socks-relay' | 'tunnel-stdio') {
  return { file: pathOf(`./${name}.js`), readable: [pathOf('.'), pathOf('../package.json')] }
}

export function demoSiteFolder(): string {
  return pathOf('../demo-site')
}

export function demoDataFolder(): string {
  return pathOf('../demo-data')
}

export function commandLineFile(): string {
  return pathOf(`../cli/octavo-${VERSION}.tgz`)
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
