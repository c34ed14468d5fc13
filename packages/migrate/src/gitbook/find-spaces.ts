/** Finds the spaces of a GitBook repository: folders with pages and a list of them. */
import { posix } from 'node:path'
import { type JsonNode, joinPath, placeOf, toValue } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { readYaml } from '../folder/read-yaml.ts'
import type { MigrationReport, Place } from '../site/report.ts'
import { asValues } from '../site/values.ts'

export type Space = {
  /** The folder of the pages; empty for the root. */
  readonly root: string
  /** Where its pages are on the new site; empty for the root. */
  readonly prefix: string
  readonly summary: string
  readonly readme: string
  readonly redirects: readonly WrittenRedirect[]
}

export type WrittenRedirect = { readonly from: string; readonly to: string; readonly place: Place }

type Found = Omit<Space, 'prefix'>

const CONFIG = /(?:^|\/)\.gitbook\.ya?ml$/
const SUMMARY = /(?:^|\/)SUMMARY\.md$/

/** Returns true if the folder has a site of this tool. */
export function isGitbook(folder: ForeignFolder): boolean {
  // mdBook has the same list of pages.
  const isBook = folder.files.some((file) => /(?:^|\/)book\.toml$/.test(file))
  return folder.files.some((file) => CONFIG.test(file) || (!isBook && SUMMARY.test(file)))
}

export function findSpaces(folder: ForeignFolder, report: MigrationReport): readonly Space[] {
  const configured = folder.files
    .filter((file) => CONFIG.test(file))
    .flatMap((file) => readConfig(folder, file, report))
  const known = new Set(configured.map(({ summary }) => summary))
  const plain = folder.files
    .filter((file) => SUMMARY.test(file) && !known.has(file))
    .map((file) => readBook(folder, file))
  const found = [...configured, ...plain]
    .filter(({ summary }) => {
      if (folder.has(summary)) return true
      report.leave('The list of pages is not in the folder, so this space was not moved.', {
        file: summary,
        line: 1,
      })
      return false
    })
    .toSorted((a, b) => depthOf(a.root) - depthOf(b.root) || (a.root < b.root ? -1 : 1))
  const [main] = found
  if (main === undefined) return []
  const isAround = found.every(({ root }) => isInside(root, main.root))
  return found.map((space) => {
    if (space === main) return { ...space, prefix: '' }
    const below = isAround ? space.root.slice(main.root.length) : space.root
    return { ...space, prefix: below.replace(/^\//, '') }
  })
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length
}

export function isInside(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

function folderOf(file: string): string {
  const folder = posix.dirname(file)
  return folder === '.' ? '' : folder
}

function readConfig(
  folder: ForeignFolder,
  file: string,
  report: MigrationReport,
): readonly Found[] {
  const node = readYaml(folder, file, report)
  const values = asValues(node === undefined ? undefined : toValue(node))
  const written = typeof values.root === 'string' ? values.root : '.'
  const root = joinPath(folderOf(file), `./${written.replace(/^\/+/, '')}`)
  if (root === undefined) {
    report.leave(`The root \`${written}\` is outside of the folder.`, { file, line: 1 })
    return []
  }
  const structure = asValues(values.structure)
  const inRoot = (value: unknown, usual: string) =>
    joinPath(root, `./${typeof value === 'string' ? value : usual}`) ?? usual
  return [
    {
      root,
      summary: inRoot(structure.summary, 'SUMMARY.md'),
      readme: inRoot(structure.readme, 'README.md'),
      redirects: redirectsOf(node, file),
    },
  ]
}

function redirectsOf(node: JsonNode | undefined, file: string): readonly WrittenRedirect[] {
  const redirects = node?.type === 'object' ? node.members.get('redirects')?.value : undefined
  if (redirects?.type !== 'object') return []
  return [...redirects.members].flatMap(([from, { value }]) =>
    value.type === 'string'
      ? [{ from, to: value.value, place: { file, line: placeOf(value).line } }]
      : [],
  )
}

/** Reads the folder of a list of pages without `.gitbook.yaml`; older sites have `book.json`. */
function readBook(folder: ForeignFolder, summary: string): Found {
  const root = folderOf(summary)
  const inRoot = (name: string) => joinPath(root, `./${name}`) ?? name
  let readme: unknown
  try {
    const book: unknown = JSON.parse(folder.read(inRoot('book.json')) ?? '{}')
    readme = asValues(asValues(book).structure).readme
  } catch {
    // Plugins and titles of `book.json` have no effect either, so a damaged file is the same as none.
  }
  return {
    root,
    summary,
    readme: inRoot(typeof readme === 'string' ? readme : 'README.md'),
    redirects: [],
  }
}
