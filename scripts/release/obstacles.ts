/** Finds obstacles to releasing a version. Each is a sentence that says what to do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleasePackage } from './packages.ts'

/** The result of `npm view` for a name. */
export type NameState =
  | { readonly kind: 'free' }
  | { readonly kind: 'taken'; readonly maintainers: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }

/** The package names that a release publishes. */
export const PACKAGE_NAMES = ['octavo', 'octavo-service', 'create-octavo'] as const

export function packageObstacles(
  packages: readonly ReleasePackage[],
  version: string,
): readonly string[] {
  const missing = PACKAGE_NAMES.filter((name) => !packages.some((one) => one.name === name))
  const others = packages.filter((one) => one.version !== version)
  return [
    ...missing.map((name) => `dist/${name} does not exist. \`npm run build\` writes it.`),
    ...others.map((one) => `${one.name} has the version ${one.version}, not ${version}.`),
  ]
}

/** Returns obstacles if CHANGELOG.md has no section "## <version> (<date>)" with text. */
export function changelogObstacles(text: string, version: string): readonly string[] {
  const heading = `## ${version} (`
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(heading))
  if (start < 0)
    return [
      `CHANGELOG.md has no section "## ${version} (<date>)". Describe what changes for users.`,
    ]
  if (!/^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(lines[start] ?? ''))
    return [`CHANGELOG.md: "${lines[start]}" has no date. Write it as (2026-11-18).`]
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '))
  const section = lines.slice(start + 1, next < 0 ? undefined : next).join('\n')
  return section.trim() === '' ? [`CHANGELOG.md says nothing about ${version}.`] : []
}

export function gitObstacles(root: string, version: string): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  return [
    ...(git('status', '--porcelain') === ''
      ? []
      : ['The working tree has changes. Commit or stash them.']),
    ...(git('tag', '--list', `v${version}`) === ''
      ? []
      : [`The tag v${version} exists. Raise the version in all packages.`]),
  ]
}

export function nameObstacles(
  states: ReadonlyMap<string, NameState>,
  user: string | undefined,
): readonly string[] {
  return [...states].flatMap(([name, state]) => {
    if (state.kind === 'unknown')
      return [`Cannot check if ${name} is free: ${state.reason}. Try again.`]
    if (state.kind === 'free') return []
    if (user !== undefined && state.maintainers.includes(user)) return []
    const owners = state.maintainers.join(', ')
    const who = user === undefined ? 'Run `npm login` if that is you' : `You are ${user}`
    return [
      `${name} is taken by ${owners}. ${who}; otherwise publish under a scope of yours, such as @octavo-docs/${name}, and change the name in scripts/build.ts, the action and the documentation.`,
    ]
  })
}

/** Asks the configured npm registry whether a name is free. */
export function readNameState(name: string): NameState {
  const { status, stdout } = spawnSync('npm', ['view', name, 'maintainers', '--json'], {
    encoding: 'utf8',
  })
  const reply = parseJson(stdout)
  if (status === 0) {
    const list = Array.isArray(reply) ? reply : [reply]
    return { kind: 'taken', maintainers: list.map(maintainerName) }
  }
  const { error } = Object(reply) as { readonly error?: { code?: string; summary?: string } }
  if (error?.code === 'E404') return { kind: 'free' }
  return { kind: 'unknown', reason: error?.summary ?? 'npm did not answer' }
}

/** Returns the user who is signed in with `npm login`. */
export function readNpmUser(): string | undefined {
  const { status, stdout } = spawnSync('npm', ['whoami'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

export function readChangelog(root: string): string {
  return readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
}

/** Returns the name of a maintainer, who is written as `name <address>` or as an object. */
function maintainerName(value: unknown): string {
  if (typeof value === 'string') return value.replace(/ <.*$/, '')
  return String(Object(value).name ?? 'an unknown user')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // npm prints no JSON if it cannot start, which the caller reports.
    return undefined
  }
}
