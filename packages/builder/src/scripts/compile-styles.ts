import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STYLES_FOLDER } from '@octavo/theme'
import * as esbuild from 'esbuild'

/** The minified stylesheets of the theme, by the names of their files. */
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
    // Otherwise settings are looked for in the folders around.
    tsconfigRaw: {},
  })
  const styles = outputFiles.map(({ path, text }) => [basename(path), text.trimEnd()] as const)
  return Object.fromEntries(styles.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
