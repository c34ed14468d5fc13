/**
 * Builds the packages that users install, each as a folder for `npm pack`:
 *
 *   dist/octavo            the command line
 *   dist/octavo-service    the service, including that command line
 *   dist/create-octavo     `npm create octavo`, which runs `octavo init`
 *   dist/cli               the command line as a tarball, for the service in this clone
 *
 *   npm run build [-- --out folder] [--version 0.1.1]        (another version is for upgrade drills)
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dashboardStyles } from '../packages/dashboard/src/dashboard-styles.ts'
import { NODE_VERSION_MIN } from '../packages/model/src/node-version.ts'
import { VERSION } from '../packages/model/src/version.ts'
import { bundle } from './build/bundle.ts'
import { COMPILED_FOLDER, compileAssets } from './build/compile-assets.ts'
import { neededPackages } from './build/needed-packages.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist' },
    version: { type: 'string', default: VERSION },
  },
})
/**
 * Dependencies of the service that are bundled, because many small files load slowly and few of
 * them are used.
 */
const SERVICE_BUNDLED =
  `@hono/node-server @modelcontextprotocol/server @simplewebauthn/server acorn acorn-jsx aws4fetch
  eventsource-parser hono htmlparser2 ignore jose js-yaml lru-cache nodemailer oniguruma-to-es openid-client pg pg-boss
  prom-client tldts zod`.split(/\s+/)
const { version } = values
const out = resolve(root, values.out)
const assets = await compileAssets()

await buildCommandLine(join(out, 'octavo'))
const commandLine = packCommandLine(join(out, 'octavo'))
await buildService(join(out, 'octavo-service'))
await buildCreate(join(out, 'create-octavo'))

async function buildCommandLine(folder: string): Promise<void> {
  const dependencies = neededPackages(root, 'cli', [
    // Only small parts of these packages are used. Bundled, they load in a third of the time.
    ...['@modelcontextprotocol/server', 'eventsource-parser', 'htmlparser2', 'ignore', 'zod'],
  ])
  empty(folder)
  await bundle({
    ...{ root, folder, version, dependencies },
    programs: {
      main: 'packages/cli/src/main.ts',
      'page-worker': 'packages/builder/src/compile/page-worker.ts',
      'build-process': 'packages/builder/src/dev/build-process.ts',
      'embed-process': 'packages/embeddings/src/embed-process.ts',
    },
  })
  writeAssets(folder, ['scripts', 'mermaid', 'dev-client', 'islands'])
  copy('packages/cli/templates', folder, 'templates')
  copy('docs.schema.json', folder, 'docs.schema.json')
  writeManifest(folder, {
    name: 'octavo',
    description: 'Documentation sites from a folder of MDX and a docs.json.',
    bin: { octavo: './lib/main.js' },
    dependencies,
  })
}

/**
 * Packs the tarball of the command line that the service offers for download, so that authors use a
 * compatible version.
 */
function packCommandLine(folder: string): string {
  const target = join(out, 'cli')
  empty(target)
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', target], {
    cwd: folder,
    stdio: 'ignore',
  })
  return join(target, `octavo-${version}.tgz`)
}

async function buildService(folder: string): Promise<void> {
  const dependencies = neededPackages(root, 'service', SERVICE_BUNDLED)
  empty(folder)
  await bundle({
    ...{ root, folder, version, dependencies },
    programs: {
      main: 'scripts/build/service-main.ts',
      'build-program': 'packages/service/src/publishing/builds/build-process.ts',
      'comparison-program': 'packages/service/src/publishing/deployments/comparison-program.ts',
      'library-program': 'packages/service/src/reading/libraries/library-program.ts',
      'socks-relay': 'packages/service/src/platform/sandbox/socks-relay.ts',
      'tunnel-stdio': 'packages/service/src/platform/sandbox/tunnel-stdio.ts',
      'page-worker': 'packages/builder/src/compile/page-worker.ts',
      'embed-process': 'packages/embeddings/src/embed-process.ts',
    },
  })
  writeAssets(folder, ['scripts', 'mermaid', 'islands', 'host-scripts'])
  writeFileSync(
    join(folder, COMPILED_FOLDER, 'dashboard-styles.json'),
    JSON.stringify(dashboardStyles()),
  )
  for (const name of ['migrations', 'functions'])
    copy(`packages/service/src/platform/database/${name}`, folder, `lib/${name}`)
  for (const name of ['demo-site', 'demo-data']) copy(`packages/service/${name}`, folder, name)
  // Only tracked files are copied, because a clone in use can have secrets and certificates there.
  for (const file of execFileSync('git', ['ls-files', 'deploy'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n'))
    copy(file, folder, file)
  cpSync(commandLine, join(folder, 'cli', `octavo-${version}.tgz`))
  writeManifest(folder, {
    name: 'octavo-service',
    description: 'Hosts documentation sites: deployments, builds from Git, assistant, dashboard.',
    bin: { 'octavo-service': './lib/main.js' },
    dependencies,
  })
}

async function buildCreate(folder: string): Promise<void> {
  empty(folder)
  const dependencies = { octavo: version }
  const programs = { main: 'scripts/build/create-octavo.ts' }
  await bundle({ root, folder, version, dependencies, programs })
  writeManifest(folder, {
    name: 'create-octavo',
    description: 'Makes a documentation site: npm create octavo.',
    bin: { 'create-octavo': './lib/main.js' },
    dependencies,
  })
}

function writeAssets(folder: string, names: readonly (keyof typeof assets.json)[]): void {
  const compiled = join(folder, COMPILED_FOLDER)
  mkdirSync(join(compiled, 'patterns'), { recursive: true })
  for (const name of names)
    writeFileSync(join(compiled, `${name}.json`), JSON.stringify(assets.json[name]))
  for (const [language, patterns] of assets.patterns)
    writeFileSync(join(compiled, 'patterns', `${language}.json`), JSON.stringify(patterns))
}

type Described = {
  readonly name: string
  readonly description: string
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

function writeManifest(folder: string, { name, description, bin, dependencies }: Described): void {
  copy('LICENSE', folder, 'LICENSE')
  // The packages have their own READMEs, because the repository's README is about the workspace.
  copy(`scripts/build/${name}.md`, folder, 'README.md')
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly repository?: unknown
  }
  const manifest = {
    ...{ name, version, description, license: 'Apache-2.0', repository },
    type: 'module',
    bin,
    engines: { node: `>=${NODE_VERSION_MIN}` },
    dependencies,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const count = Object.keys(dependencies).length
  console.log(`${relative(root, folder)}: ${sizeKb(folder)} KB, ${count} dependencies`)
}

function empty(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

function copy(from: string, folder: string, to: string): void {
  cpSync(join(root, from), join(folder, to), { recursive: true })
}

function sizeKb(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const bytes = files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  return Math.round(bytes / 1_024)
}
