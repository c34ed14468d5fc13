import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STYLES_FOLDER } from '@octavo/theme'
import * as esbuild from 'esbuild'

/** Returns the theme's minified stylesheets, by file name. */
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
    // Prevents esbuild from looking for a tsconfig.json in parent folders.
    tsconfigRaw: {},
  })
  const styles = outputFiles.map(({ path, text }) => [basename(path), text.trimEnd()] as const)
  return Object.fromEntries(styles.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
