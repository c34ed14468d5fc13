import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STYLES_FOLDER } from '@octavo/theme'
import * as esbuild from 'esbuild'

/** Returns the minified stylesheets of the theme, by file name. */
export async function compileStyles(): Promise<Readonly<Record<string, string>>> {
  const folder = fileURLToPath(STYLES_FOLDER)
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: readdirSync(folder),
    outdir: '.',
    write: false,
    minify: true,
    charset: 'utf8',
    logLevel: 'silent',
    // With an empty configuration, esbuild does not look for a tsconfig.json in parent folders.
    tsconfigRaw: {},
  })
  const styles = outputFiles.map(({ path, text }) => [basename(path), text.trimEnd()] as const)
  return Object.fromEntries(styles.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Wraps styles in the layer of Octavo, so that all styles of the site's author win. */
export function inLayer(css: string): string {
  return `@layer octavo{${css}}`
}
