/**
 * Makes the package that users install: our code in a few files without types, and what it reads
 * beside them. Other people's packages stay dependencies.
 *
 *   npm run pack [-- folder]        (dist/octavo)
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { builderVersion } from '../packages/builder/src/cache/builder-version.ts'
import { islandAssets } from '../packages/builder/src/islands/island-assets.ts'
import {
  compileDevClient,
  compileMermaid,
  compileScripts,
} from '../packages/builder/src/scripts/compile-scripts.ts'
import { NODE_VERSION_MIN } from '../packages/cli/src/node-version.ts'
import { translateGrammar } from '../packages/theme/src/highlight/translate-grammar.ts'

type Grammar = Parameters<typeof translateGrammar>[0]

type Manifest = {
  readonly version: string
  readonly description?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '..')
const target = join(root, process.argv[2] ?? 'dist/octavo')
/** The service is a program of its own; the command line needs only the types of its contract. */
const PACKED = [
  'model',
  'openapi',
  'content',
  'search',
  'mcp',
  'theme',
  'browser',
  'outbound',
  'embeddings',
  'builder',
  'cli',
]
/** Only browsers run these; they are in what is compiled when the package is made. */
const COMPILED = new Set(['mermaid', 'preact'])
/** Of these the smaller part is used: bundled, they take a third of the time to load. */
const BUNDLED = new Set(['@modelcontextprotocol/server', 'htmlparser2', 'ignore'])
/** Languages that documentation shows most; the patterns of others are translated when they are met. */
const LANGUAGES =
  `bat c csharp css dart diff docker elixir go graphql hcl html http ini java javascript json jsx kotlin
  lua make nginx php powershell proto python ruby rust scss shellscript sql swift toml tsx typescript vue xml
  yaml`.split(/\s+/)
const dependencies = readDependencies()

rmSync(target, { recursive: true, force: true })
await packPrograms()
await packScripts()
await packPatterns()
cpSync(join(root, 'packages/cli/templates'), join(target, 'templates'), { recursive: true })
for (const file of ['LICENSE', 'docs.schema.json']) cpSync(join(root, file), join(target, file))
// The README of the repository is about the workspace, and its links lead to files of it.
cpSync(join(import.meta.dirname, 'pack/README.md'), join(target, 'README.md'))
writeManifest()
const names = Object.keys(dependencies)
console.log(`${relative(root, target)}: ${sizeKb(target)} KB, ${names.length} dependencies`)

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest
}

function readDependencies(): Readonly<Record<string, string>> {
  const all = PACKED.flatMap((name) => Object.entries(readManifest(name).dependencies ?? {}))
  const isNeeded = (name: string) =>
    !name.startsWith('@octavo/') && !COMPILED.has(name) && !BUNDLED.has(name)
  return Object.fromEntries(all.filter(([name]) => isNeeded(name)).toSorted())
}

async function packPrograms(): Promise<void> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [
      'packages/cli/src/main.ts',
      'packages/builder/src/compile/page-worker.ts',
      'packages/builder/src/dev/build-process.ts',
      'packages/embeddings/src/embed-process.ts',
    ],
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
  packLicenses(metafile)
}

/** The license of each package of others whose code is in the bundle. */
function packLicenses({ outputs }: esbuild.Metafile): void {
  const folders = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => file.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [])
  for (const folder of new Set(folders)) {
    const name = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry))
    if (name === undefined) throw new Error(`${folder} has no license.`)
    const file = folder.slice('node_modules/'.length).replace('/', '-')
    cpSync(join(root, folder, name), join(target, 'licenses', file))
  }
}

/** Modules that ask where they stand have another answer in the package. */
function packedModules(): esbuild.Plugin {
  return {
    name: 'packed-modules',
    setup: (build) => {
      build.onResolve(
        { filter: /\/(?:own-files|builder-version|compile-scripts|island-assets)\.ts$/ },
        ({ path }) => ({
          path: join(
            import.meta.dirname,
            'pack',
            `packed-${path.slice(path.lastIndexOf('/') + 1)}`,
          ),
        }),
      )
    },
  }
}

/** Browser code does not depend on the site: compiled now, it needs neither its libraries nor a compiler. */
async function packScripts(): Promise<void> {
  const folder = join(target, 'lib/compiled')
  mkdirSync(folder, { recursive: true })
  const made = {
    'scripts.json': await compileScripts(),
    'mermaid.json': await compileMermaid(),
    'dev-client.json': await compileDevClient(),
    'islands.json': await islandAssets(),
  }
  for (const [name, value] of Object.entries(made)) {
    writeFileSync(join(folder, name), JSON.stringify(value))
  }
}

async function packPatterns(): Promise<void> {
  const folder = join(target, 'lib/compiled/patterns')
  mkdirSync(folder, { recursive: true })
  for (const name of LANGUAGES) {
    const module = (await import(`@shikijs/langs/${name}`)) as { default: Grammar[] }
    const grammar = module.default.at(-1)
    if (grammar?.name !== name) throw new Error(`The grammar of ${name} is called otherwise.`)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(translateGrammar(grammar)))
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
    files: ['docs.schema.json', 'lib', 'licenses', 'templates'],
    engines: { node: `>=${NODE_VERSION_MIN}` },
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
