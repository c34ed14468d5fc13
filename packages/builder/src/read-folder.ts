import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type IsIgnored, parseIgnoreRules } from './ignore-rules.ts'
import type { SourceTree } from './source-tree.ts'

const FOLDER_LIMITS = {
  /** Files of one documentation folder. */
  filesMax: 200_000,
  /** Bytes of one text that is read. */
  textSizeMax: 32 * 1024 * 1024,
} as const

const IGNORE_FILES = ['.mintignore', '.octavoignore']

/** Reads a folder of the local disk. Links to elsewhere are not followed. */
export function readFolder(root: string): SourceTree {
  const isIgnored = readIgnoreRules(root)
  const files: string[] = []
  collect({ root, folder: '', isIgnored, files })
  files.sort()
  return { files, read: (path) => readText(join(root, path)) }
}

function readIgnoreRules(root: string): IsIgnored {
  const text = IGNORE_FILES.map((name) => readText(join(root, name)) ?? '').join('\n')
  return parseIgnoreRules(text)
}

type Walk = {
  readonly root: string
  readonly folder: string
  readonly isIgnored: IsIgnored
  readonly files: string[]
}

function collect({ root, folder, isIgnored, files }: Walk): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (files.length >= FOLDER_LIMITS.filesMax) return
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isNeverContent(entry.name)) continue
    if (entry.isDirectory()) {
      if (!isIgnored(`${path}/`)) collect({ root, folder: path, isIgnored, files })
    } else if (entry.isFile() && !isIgnored(path)) files.push(path)
  }
}

/** Tools keep their own things in dot folders; `.well-known` is content. */
function isNeverContent(name: string): boolean {
  return name === 'node_modules' || (name.startsWith('.') && name !== '.well-known')
}

function readText(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile() || stat.size > FOLDER_LIMITS.textSizeMax)
    return undefined
  return readFileSync(path, 'utf8')
}
