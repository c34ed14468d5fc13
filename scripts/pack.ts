/**
 * Makes the package that users install: our code in a few files without types, and what it reads
 * beside them. Other people's packages stay dependencies.
 *
 *   npm run pack [-- folder]        (dist/octavo)
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { builderVersion } from '../packages/builder/src/builder-version.ts'

type Manifest = {
  readonly version: string
  readonly description?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const target = join(root, process.argv[2] ?? 'dist/octavo')
/** The service is a program of its own; the command line needs only the types of its contract. */
const PACKED = ['model', 'openapi', 'content', 'theme', 'builder', 'cli']
const dependencies = readDependencies()

rmSync(target, { recursive: true, force: true })
await packPrograms()
packThemeScripts(await themeInputs())
cpSync(join(root, 'packages/theme/src/styles'), join(target, 'lib/styles'), { recursive: true })
for (const file of ['README.md', 'LICENSE']) cpSync(join(root, file), join(target, file))
writeManifest()
const names = Object.keys(dependencies)
console.log(`${relative(root, target)}: ${sizeKb(target)} KB, ${names.length} dependencies`)

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest
}

function readDependencies(): Readonly<Record<string, string>> {
  const all = PACKED.flatMap((name) => Object.entries(readManifest(name).dependencies ?? {}))
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('@octavo/')).toSorted())
}

async function packPrograms(): Promise<void> {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['packages/cli/src/main.ts', 'packages/builder/src/page-worker.ts'],
    outdir: join(target, 'lib'),
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
    define: { PACKED_VERSION: JSON.stringify(builderVersion()) },
    plugins: [packedModules()],
    logLevel: 'warning',
  })
}

/** Modules that ask where they stand have another answer in the package. */
function packedModules(): esbuild.Plugin {
  return {
    name: 'packed-modules',
    setup: (build) => {
      build.onResolve({ filter: /\/(?:own-files|builder-version)\.ts$/ }, ({ path }) => ({
        path: join(import.meta.dirname, 'pack', `packed-${path.slice(path.lastIndexOf('/') + 1)}`),
      }))
    },
  }
}

/** Browser code is compiled for each site, so it is packed as it is, with all that it imports. */
async function themeInputs(): Promise<readonly string[]> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['browser/site', 'browser/mermaid', 'islands/runtime', 'islands/load-islands'].map(
      (name) => `packages/theme/src/${name}.ts`,
    ),
    outdir: target,
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs)
}

function packThemeScripts(files: readonly string[]): void {
  const theme = join(root, 'packages/theme/src')
  for (const file of files) {
    const inside = relative(theme, join(root, file))
    if (inside.startsWith('..')) throw new Error(`${file} is no part of the theme.`)
    const copy = join(target, 'lib/theme', inside)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(root, file), copy)
  }
}

function writeManifest(): void {
  const { version } = readManifest('cli')
  const manifest = {
    name: 'octavo',
    version,
    description: 'Documentation sites from a folder of MDX and a docs.json.',
    license: 'Apache-2.0',
    type: 'module',
    bin: { octavo: './lib/main.js' },
    files: ['lib'],
    engines: { node: '>=22.18' },
    dependencies,
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function sizeKb(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0)
  return Math.round(bytes / 1_024)
}
