/**
 * Publishes packages to a registry on loopback, and uses them as a new user would, in empty folders
 * with an empty cache.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { startRegistry } from '../registry.ts'
import type { ReleasePackage } from './packages.ts'

const ROOT = join(import.meta.dirname, '../..')

export async function tryPackages(
  packages: readonly ReleasePackage[],
  release: string,
): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'octavo-release-'))
  const registry = await startRegistry(packages.map(({ name }) => name))
  try {
    const user = new User(work, registry.url)
    for (const { name, version } of packages)
      user.run('publish', 'npm', ['publish', join(release, `${name}-${version}.tgz`)])
    const names = new Set(packages.map(({ name }) => name))
    for (const one of packages) tryCommands(user, one)
    if (names.has('octavo')) trySchema(user)
    if (names.has('create-octavo')) tryCreate(user)
    if (names.has('octavo')) tryAction(user, packages)
  } finally {
    await registry.stop()
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Installs a package alone in a project, and checks that its commands start and print their
 * version.
 */
function tryCommands(user: User, { name, version, bin }: ReleasePackage): void {
  if (name.startsWith('create-')) return
  const project = `project-${name}`
  user.run(project, 'npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`])
  for (const command of bin) {
    const printed = user.run(project, 'npx', ['--no-install', command, '--version'])
    if (!printed.includes(version)) throw new Error(`${command} --version prints ${printed}`)
    user.run(project, 'npx', ['--no-install', command, '--help'])
  }
}

/**
 * Checks that `$schema` in the docs.json of `octavo init` refers to a file, so that editors
 * complete docs.json offline.
 */
function trySchema(user: User): void {
  user.run('project-octavo', 'npx', ['--no-install', 'octavo', 'init', 'docs', '--yes'])
  const file = join(user.work, 'project-octavo/docs/docs.json')
  const { $schema } = JSON.parse(readFileSync(file, 'utf8')) as { readonly $schema?: string }
  if ($schema === undefined || !existsSync(resolve(dirname(file), $schema)))
    throw new Error(`docs.json has "$schema": ${$schema}, which is no file.`)
  user.run('project-octavo', 'npx', ['--no-install', 'octavo', 'check', 'docs', '--strict'])
  console.log(`  $schema is ${$schema}`)
}

function tryCreate(user: User): void {
  user.run('created', 'npm', ['create', '--yes', 'octavo@latest', 'my-docs', '--', '--yes'])
  const folder = join(user.work, 'created/my-docs')
  if (!existsSync(join(folder, 'docs.json')))
    throw new Error('npm create octavo wrote no docs.json')
}

/** Runs the step of action.yml that installs the command line. */
function tryAction(user: User, packages: readonly ReleasePackage[]): void {
  const { version = '' } = packages.find(({ name }) => name === 'octavo') ?? {}
  user.run('project-octavo', process.execPath, [join(ROOT, '.github/action/main.ts')], {
    GITHUB_WORKSPACE: join(user.work, 'project-octavo'),
    ACTION_COMMAND: 'check',
    ACTION_FOLDER: 'docs',
    ACTION_VERSION: version,
    ACTION_STRICT: 'true',
    ACTION_COMMENT: 'false',
  })
}

/** A user with an empty home folder, cache and working folders. */
class User {
  readonly work: string
  readonly #env: NodeJS.ProcessEnv

  constructor(work: string, registry: string) {
    this.work = work
    const { host } = new URL(registry)
    // Only PATH is taken from the machine, so that no .npmrc and no npm variable has an effect.
    this.#env = {
      PATH: process.env.PATH,
      HOME: join(work, 'home'),
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
      npm_config_cache: join(work, 'cache'),
      npm_config_registry: registry,
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
      [`npm_config_//${host}/:_authToken`]: 'anonymous',
    }
    mkdirSync(join(work, 'home'))
  }

  run(
    folder: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): string {
    const cwd = join(this.work, folder)
    mkdirSync(cwd, { recursive: true })
    const started = performance.now()
    const printed = execFileSync(command, args, {
      cwd,
      env: { ...this.#env, ...env },
      encoding: 'utf8',
    })
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    const shown = [command, ...args].map((word) => word.split('/').at(-1)).join(' ')
    console.log(`✓ ${shown}, ${seconds} s`)
    return printed
  }
}
