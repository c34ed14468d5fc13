/**
 * Bundles our code into a few JavaScript files. The listed third-party packages stay dependencies.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as esbuild from 'esbuild'
import { builderVersion } from '../../packages/builder/src/cache/builder-version.ts'

type Bundle = {
  readonly root: string
  /** The folder of the package. Files are written to its `lib` folder. */
  readonly folder: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  /** The entry points by their file name in `lib`. */
  readonly programs: Readonly<Record<string, string>>
}

/** Modules that depend on their location, with the modules that replace them in packages. */
const REPLACED: Readonly<Record<string, string>> = {
  'packages/builder/src/compile/own-files.ts': 'packed-builder-files.ts',
  'packages/builder/src/cache/builder-version.ts': 'packed-builder-version.ts',
  'packages/builder/src/scripts/compile-scripts.ts': 'packed-compile-scripts.ts',
  'packages/builder/src/islands/island-assets.ts': 'packed-island-assets.ts',
  'packages/dashboard/src/dashboard-styles.ts': 'packed-dashboard-styles.ts',
  'packages/service/src/platform/own-files.ts': 'packed-service-files.ts',
}
/** Code that defines `require`, with which CommonJS modules load Node's modules. */
const REQUIRE = `import { createRequire as makeRequire } from 'node:module';const require = makeRequire(import.meta.url);`

export async function bundle({ root, folder, version, dependencies, programs }: Bundle) {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: Object.entries(programs).map(([out, file]) => ({ in: file, out })),
    outdir: join(folder, 'lib'),
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: REQUIRE },
    external: [
      ...Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
      // These are optional drivers, which `pg` only uses if they are installed.
      ...['pg-native', 'pg-cloudflare'],
    ],
    define: { PACKED_VERSION: JSON.stringify(builderVersion()) },
    plugins: [replaceModules(root, version)],
    logLevel: 'warning',
  })
  copyLicenses(root, folder, metafile)
}

function replaceModules(root: string, version: string): esbuild.Plugin {
  const replaced = new Map(
    Object.entries(REPLACED).map(([file, name]) => [
      join(root, file),
      join(import.meta.dirname, name),
    ]),
  )
  return {
    name: 'replace-modules',
    setup: (build) => {
      build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
        const other = replaced.get(resolve(resolveDir, path))
        return other === undefined ? undefined : { path: other }
      })
      build.onLoad({ filter: /packages\/model\/src\/version\.ts$/ }, () => ({
        contents: `export const VERSION = ${JSON.stringify(version)}`,
        loader: 'ts',
      }))
    },
  }
}

/** Copies the license of each third-party package in the bundle. */
function copyLicenses(root: string, target: string, { outputs }: esbuild.Metafile): void {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [])
  mkdirSync(join(target, 'licenses'), { recursive: true })
  for (const folder of new Set(folders)) {
    const file = folder.slice(folder.lastIndexOf('node_modules/') + 13).replace('/', '-')
    writeFileSync(join(target, 'licenses', file), licenseOf(join(root, folder)))
  }
}

/**
 * Returns the text of the license file, or the license field of package.json if there is no such
 * file.
 */
function licenseOf(folder: string): string {
  const name = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (name !== undefined) return readFileSync(join(folder, name), 'utf8')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly license?: string
    readonly author?: unknown
  }
  if (manifest.license === undefined) throw new Error(`${folder} has no license.`)
  return `${manifest.license}, by ${JSON.stringify(manifest.author)}\n`
}
