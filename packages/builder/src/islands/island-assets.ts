/**
 * Compiles the two scripts that do not depend on the site: the shared runtime, and the loader of
 * islands.
 */
import * as esbuild from 'esbuild'
import { ISLANDS_FOLDER } from '../compile/island-address.ts'
import { browserScript } from '../compile/own-files.ts'
import { BROWSER_OUTPUT } from '../scripts/browser-output.ts'
import { hashFile } from '../source/hash-bytes.ts'

type IslandAsset = { readonly path: string; readonly code: string }

export type IslandAssets = {
  /** Preact and everything else that island modules import. */
  readonly runtime: IslandAsset & { readonly exports: readonly string[] }
  /** The script that pages with islands load: `<script type="module" src=…>`. */
  readonly loader: IslandAsset
}

/**
 * Compiles our own browser code. The file names contain a hash of the content, so browsers can
 * cache the files forever.
 */
export async function islandAssets(): Promise<IslandAssets> {
  const runtime = await compileOwn('runtime', [])
  const runtimeFile = runtime.path.slice(ISLANDS_FOLDER.length + 1)
  const loader = await compileOwn('load-islands', [
    {
      name: 'runtime-address',
      setup: (build) => {
        const filter = /^\.\/runtime\.[jt]s$/
        build.onResolve({ filter }, () => ({ path: `./${runtimeFile}`, external: true }))
      },
    },
  ])
  return { runtime, loader: { path: loader.path, code: loader.code } }
}

async function compileOwn(
  name: 'runtime' | 'load-islands',
  plugins: esbuild.Plugin[],
): Promise<IslandAssets['runtime']> {
  const { outputFiles, metafile } = await esbuild.build({
    ...BROWSER_OUTPUT,
    entryPoints: [browserScript(`islands/${name}`)],
    plugins,
  })
  const code = outputFiles[0]?.text ?? ''
  const exports = Object.values(metafile.outputs).flatMap((output) => output.exports)
  const file = `${name === 'runtime' ? 'runtime' : 'load'}-${hashFile(code).slice(0, 16)}.js`
  return { path: `${ISLANDS_FOLDER}/${file}`, code, exports: exports.toSorted() }
}
