import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { DiagnosticList, diagnose, formatCount } from '@octavo/model'
import { stampOfFile } from './file-stamp.ts'
import { gitHistory } from './git-history.ts'
import { gitRepository, type Repository } from './git-repository.ts'
import { type IsIgnored, parseIgnoreRules } from './ignore-rules.ts'
import { readHead } from './read-head.ts'
import type { SourceTree } from './source-tree.ts'

const FOLDER_LIMITS = {
  /** Maximum number of files in a documentation folder. */
  filesMax: 200_000,
  /** Maximum size of a text file, in bytes. */
  textSizeMax: 32 * 1024 * 1024,
} as const

type FolderLimits = { readonly filesMax: number; readonly textSizeMax: number }

/** The name of the build record, which every folder that a build has written contains. */
export const BUILD_RECORD = '.octavo-build.json'
/** The name of the build journal, which exists only while a build runs. */
export const BUILD_JOURNAL = '.octavo-build.journal'

export const IGNORE_FILES = ['.mintignore', '.octavoignore']

export type FolderOptions = {
  readonly limits?: FolderLimits
  /**
   * Returns when a file was last changed, by default from Git. The history is part of the input, so
   * two clones of the same commit result in the same site.
   */
  readonly changedAt?: (path: string) => string | undefined
  /** Returns the repository on the web, by default from Git. */
  readonly repository?: () => Repository | undefined
}

export type FolderTree = SourceTree & {
  /** Paths of all folders that were read. The path of the root is empty. */
  readonly folders: readonly string[]
}

/**
 * Reads a local folder. Symbolic links are not followed, and files that are not in the list cannot
 * be read.
 */
export function readFolder(root: string, options: FolderOptions = {}): FolderTree {
  const {
    limits = FOLDER_LIMITS,
    changedAt = gitHistory(root),
    repository = gitRepository(root),
  } = options
  const list = new DiagnosticList()
  const isIgnored = readIgnoreRules(root, list)
  const files: string[] = []
  const folders: string[] = []
  const complete = collect({ root, folder: '', isIgnored, files, folders, limits })
  if (!complete) {
    const count = formatCount(limits.filesMax)
    list.report(
      diagnose(
        'file/too-many',
        { file: '.', line: 1, column: 1 },
        {
          message: `The folder has more than ${count} files; the others are ignored.`,
          hint: 'Pass only the documentation folder, or list files to ignore in .octavoignore.',
        },
      ),
    )
  }
  files.sort()
  const known = new Set(files)
  return {
    files,
    folders,
    folder: root,
    repository,
    changedAt: (path) => (known.has(path) ? changedAt(path) : undefined),
    read: (path) => (known.has(path) ? readText(join(root, path), limits) : undefined),
    // Does not use `join`, which would double the time: this runs for all files at each start.
    stampOf: (path) => stampOfFile(`${root}${sep}${path}`),
    readBytes: (path) => (known.has(path) ? readIfThere(join(root, path)) : undefined),
    readHead: (path, lengthMax) =>
      known.has(path) ? readHead(join(root, path), lengthMax) : undefined,
    diagnostics: list.sorted(),
  }
}

function readIgnoreRules(root: string, list: DiagnosticList): IsIgnored {
  const { isIgnored, unusedRules } = parseIgnoreRules(
    IGNORE_FILES.map((file) => ({
      file,
      text: readText(join(root, file), FOLDER_LIMITS) ?? '',
    })),
  )
  for (const { file, line } of unusedRules) {
    list.report(
      diagnose(
        'file/ignore-rule',
        { file, line, column: 1 },
        {
          message:
            'This rule is ignored because it is too long or because there are too many rules before it.',
          hint: 'Use fewer and shorter rules. One rule is enough for a whole folder.',
        },
      ),
    )
  }
  return isIgnored
}

type Walk = {
  readonly root: string
  readonly folder: string
  readonly isIgnored: IsIgnored
  readonly files: string[]
  readonly folders: string[]
  readonly limits: FolderLimits
}

/** Collects the files below a folder. Returns false if there are more than the limit. */
function collect(walk: Walk): boolean {
  const { root, folder, isIgnored, files, folders, limits } = walk
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  // A built site inside the folder is not part of its source.
  if (folder !== '' && entries.some(isBuildRecord)) return true
  if (!isInToolFolder(folder)) folders.push(folder)
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (isNeverContent(entry.name) && !TOOL_FOLDER.test(path)) continue
    if (isInToolFolder(path) && !SKILL_PATH.test(path)) continue
    if (entry.isDirectory()) {
      if (!isIgnored(`${path}/`) && !collect({ ...walk, folder: path })) return false
    } else if (entry.isFile() && !isIgnored(path)) {
      if (files.length >= limits.filesMax) return false
      files.push(path)
    }
  }
  return true
}

function isBuildRecord({ name }: { readonly name: string }): boolean {
  return name === BUILD_RECORD || name === BUILD_JOURNAL
}

/** Matches folders of tools, in which only agent skills are content. */
const TOOL_FOLDER = /^\.(?:octavo|mintlify)$/
const SKILL_PATH = /^\.(?:octavo|mintlify)(?:\/skills(?:\/[^/]+(?:\/SKILL\.md)?)?)?$/
export const SKILL_FILE = /^\.(?:octavo|mintlify)\/skills\/[^/]+\/SKILL\.md$/

function isInToolFolder(path: string): boolean {
  return TOOL_FOLDER.test(path.split('/', 1)[0] ?? '')
}

/**
 * Matches dot files that a page may import, such as `.env.mdx` to show a `.env` file. Files of
 * editors and systems such as `.#a.mdx` and `._a.mdx` do not match.
 */
const DOT_SNIPPET = /^\.[a-z\d].*\.(?:mdx?|jsx)$/i

/**
 * Returns true for dot files of tools and for node_modules, but not for `.well-known` and snippets,
 * which are content.
 */
export function isNeverContent(name: string): boolean {
  if (name === 'node_modules') return true
  return name.startsWith('.') && name !== '.well-known' && !DOT_SNIPPET.test(name)
}

function readIfThere(path: string): Uint8Array | undefined {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? readFileSync(path) : undefined
}

function readText(path: string, limits: FolderLimits): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isFile() || stat.size > limits.textSizeMax) return undefined
  return readFileSync(path, 'utf8')
}
