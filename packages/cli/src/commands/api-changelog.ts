/**
 * `octavo api changelog`: writes what changed in the API as an entry of a changelog page. The page
 * belongs to the author, so its history is in Git, and a build needs nothing else (decision 0071).
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { openSite, readFolder, specificationFiles } from '@octavo/builder'
import { type Access, grantsAccess, printable } from '@octavo/model'
import {
  compareVersions,
  folderVersion,
  type SpecificationChanges,
  type SpecificationVersion,
} from '@octavo/openapi'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import type { ReadVersion } from './api-diff.ts'
import { printEntry } from './changelog-entry.ts'
import { pathWithin } from './path-within.ts'
import { createFetcher, type NetworkOptions } from './specification-fetcher.ts'

export type ApiChangelogOptions = NetworkOptions & {
  readonly verb: 'changelog'
  /** The version to compare with: a folder, a commit and a path, or a deployment. */
  readonly old: string
  readonly folder: string
  /** The path of the page, without its extension. */
  readonly page: string
  /** True to write the entry to the page instead of printing it. */
  readonly write: boolean
}

export async function apiChangelog(
  world: CommandContext,
  options: ApiChangelogOptions,
  read: ReadVersion,
): Promise<ExitCode> {
  const fail = (message: string) => {
    world.err.write(`octavo: ${message}\n`)
    return EXIT.usage
  }
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return fail(`The folder "${options.folder}" does not exist.`)
  const path = `${options.page.replace(/\.mdx?$/, '')}.mdx`
  if (pathWithin(folder, { target: join(folder, path) }) === undefined)
    return fail(`"${path}" is not below the folder.`)
  const old = await read(options.old)
  if (typeof old === 'string') return fail(old)
  if (!old.isFolder) return fail(`"${options.old}" is not a documentation folder.`)
  const site = await readSite(world, { ...options, folder, path })
  if (site === undefined) return fail('docs.json cannot be read. Run `octavo check`.')
  const { changes, omitted } = readableChanges(old, site)
  for (const reason of omitted) world.err.write(`octavo: ${printable(reason)}\n`)
  const entry = printEntry(changes, new Date(world.clock.now()).toISOString().slice(0, 10))
  if (entry === undefined) world.out.write('No changes that clients notice.\n')
  else if (options.write) writeEntry(world, join(folder, path), { entry, path })
  else world.out.write(entry)
  return EXIT.ok
}

type ChangedSite = {
  readonly version: SpecificationVersion
  /** Who may read each specification. */
  readonly access: ReadonlyMap<string, Access>
  readonly path: string
  readonly mayRead: (access: Access) => boolean
}

async function readSite(
  world: CommandContext,
  { folder, path, ...network }: NetworkOptions & { readonly folder: string; readonly path: string },
): Promise<ChangedSite | undefined> {
  const tree = readFolder(folder)
  const { site } = await openSite(tree, createFetcher(world, { ...network, folder }))
  if (site === undefined) return undefined
  const files = specificationFiles(site, tree)
  const label = site.labels.get(path.replace(/\.mdx$/, '')) ?? 'default'
  return {
    version: folderVersion(
      files.map(({ path: file, bytes }) => [file, Buffer.from(bytes).toString('utf8')]),
    ),
    access: new Map(files.map(({ path: file, access }) => [file, access])),
    path,
    mayRead: (access) => grantsAccess(label, access),
  }
}

/** Returns only changes of specifications that all readers of the page may read. */
function readableChanges(
  old: SpecificationVersion,
  { version, access, path, mayRead }: ChangedSite,
) {
  const changes: SpecificationChanges[] = []
  const omitted: string[] = []
  for (const one of compareVersions(old, version)) {
    const { file, problem } = one
    const label = access.get(file)
    if (problem === undefined && one.changes.length === 0) continue
    if (problem !== undefined)
      omitted.push(`"${file}" is omitted: the ${problem.side} version cannot be read.`)
    else if (label === undefined)
      omitted.push(`"${file}" is omitted: it was removed, so its readers are unknown.`)
    else if (!mayRead(label))
      omitted.push(
        `"${file}" is omitted: not all readers of ${path} may read it. Give the page the same \`groups\`, or use --out for another page.`,
      )
    else changes.push(one)
  }
  return { changes, omitted }
}

const NEW_PAGE = `---
title: API changelog
description: "What changed in the API."
rss: true
---
`

function writeEntry(
  world: CommandContext,
  file: string,
  { entry, path }: { readonly entry: string; readonly path: string },
): void {
  const isNew = !existsSync(file)
  const text = isNew ? NEW_PAGE : readFileSync(file, 'utf8')
  const { green } = colorsFor(world.out, world.env)
  if (text.includes(entry)) {
    world.out.write(`${path} already has this entry.\n`)
    return
  }
  const first = text.search(/^<Update\b/m)
  const at = first < 0 ? text.length : first
  const before = text.slice(0, at).trimEnd()
  const rest = text.slice(at)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${before}\n\n${entry}${rest === '' ? '' : `\n${rest}`}`)
  const lines = plural(entry.split('\n').filter((line) => line.startsWith('- ')).length, 'change')
  world.out.write(`${green('✓')} ${path}: ${lines}. Review the entry and commit it.\n`)
  if (isNew)
    world.out.write(`Add "${path.replace(/\.mdx$/, '')}" to the navigation in docs.json.\n`)
}
