/** Plans the edits for moving a page, in every file that refers to the page. Writes no files. */
import { posix } from 'node:path'
import type { PageLink } from '@octavo/content'
import { nearest, pageUrl, parsePagePath, QUESTIONS_FILE } from '@octavo/model'
import { LinkChecker } from '../check/check-links.ts'
import type { CheckedPage } from '../check/checked-page.ts'
import { SiteAddresses } from '../check/site-addresses.ts'
import { findAddress, isPathLink, resolvePageLink } from '../compile/page-links.ts'
import { copyFetcher } from '../load/fetchers.ts'
import { openSite } from '../load/open-site.ts'
import { compileFacts } from '../pipeline/check-site.ts'
import { HashedTree } from '../source/hashed-tree.ts'
import { readFolder } from '../source/read-folder.ts'
import { renameInConfig } from './rename-in-config.ts'
import { renameInImports } from './rename-in-imports.ts'
import { renameInQuestions } from './rename-in-questions.ts'

/** A range of text and its replacement. */
export type TextEdit = { readonly start: number; readonly end: number; readonly put: string }

export type RenamePlan =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'planned'
      readonly move: { readonly from: string; readonly to: string }
      readonly urls: { readonly from: string; readonly to: string }
      /** Edits by file. The key is the file's name before the move. */
      readonly edits: ReadonlyMap<string, readonly TextEdit[]>
    }

export type RenameOptions = {
  readonly folder: string
  readonly cacheFolder: string
  readonly version: string
  /** Paths of pages, with or without a file extension. */
  readonly from: string
  readonly to: string
}

export async function planRename(options: RenameOptions): Promise<RenamePlan> {
  const tree = new HashedTree(readFolder(options.folder))
  // Moving a page does not need current specifications, so it also works offline.
  const { site } = await openSite(tree, copyFetcher(options.cacheFolder))
  if (site === undefined) return refused('no valid docs.json was found here.')
  const from = parsePagePath(options.from)
  const to = parsePagePath(options.to)
  if (from.kind !== 'path') return refused(`"${options.from}" is not a page path.`)
  if (to.kind !== 'path') return refused(`"${options.to}" is not a page path.`)
  const page = site.pages.find(({ path }) => path === from.path)
  if (page === undefined) {
    const guess = nearest(
      from.path,
      site.pages.map(({ path }) => path),
    )
    return refused(
      `the page "${from.path}" does not exist.${guess === undefined ? '' : ` Did you mean "${guess}"?`}`,
    )
  }
  if (site.pages.some(({ path }) => path === to.path)) {
    return refused(`the page "${to.path}" already exists.`)
  }
  const extension = to.extension ?? posix.extname(page.file)
  const move = { from: page.file, to: `${to.path}${extension}` }
  const urls = { from: pageUrl(from.path), to: pageUrl(to.path) }
  const edits = new EditSet()
  const pages = await compileFacts({ ...options, isTrusted: true, tree, site, diagnostics: [] })
  const addresses = new SiteAddresses(site, tree, pages)
  const links = new LinkChecker({ addresses, tree, report: () => {} })
  for (const checked of pages) {
    for (const link of checked.links) {
      const put = renamedLink(link, checked, { addresses, path: from.path, move, urls })
      if (put === undefined) continue
      const text = links.textOf(link.file)
      // Hosted specifications, and those that were corrected while they were read, are skipped.
      if (text === tree.read(link.file)) edits.add(link.file, editOf(link, put, text))
    }
  }
  for (const file of tree.files) {
    if (!/\.(?:mdx?|[jt]sx?)$/.test(file)) continue
    for (const edit of renameInImports(file, tree.read(file) ?? '', move)) edits.add(file, edit)
  }
  const questions = tree.files.includes(QUESTIONS_FILE) ? tree.read(QUESTIONS_FILE) : undefined
  const paths = { from: from.path, to: to.path }
  for (const edit of renameInQuestions(QUESTIONS_FILE, questions ?? '', paths))
    edits.add(QUESTIONS_FILE, edit)
  const config = tree.read(site.configFile) ?? ''
  const written = renameInConfig({ file: site.configFile, text: config, read: tree.read }, paths)
  for (const [file, list] of written) for (const edit of list) edits.add(file, edit)
  return { kind: 'planned', move, urls, edits: edits.byFile }
}

type Moving = {
  readonly addresses: SiteAddresses
  readonly path: string
  readonly move: { readonly from: string; readonly to: string }
  readonly urls: { readonly to: string }
}

/** Returns the new link, or undefined if the link does not change. */
function renamedLink(
  { url, kind, file }: PageLink,
  { page }: CheckedPage,
  { addresses, path, move, urls }: Moving,
): string | undefined {
  if (!isPathLink(url)) return undefined
  const isRelative = !url.startsWith('/')
  const end = url.search(/[?#]/)
  const rest = end < 0 ? '' : url.slice(end)
  const isMoved = file === move.from
  if (kind === 'image') {
    if (!isRelative || !isMoved) return undefined
    const written = end < 0 ? url : url.slice(0, end)
    const target = posix.join(posix.dirname(file), written)
    // Images are looked up relative to the page first, then from the root. Only a path relative to
    // the page must change.
    if (!addresses.hasFile(target)) return undefined
    return `${relativePath(move.to, target)}${rest}`
  }
  const address = resolvePageLink(url, page.file ?? page.path).replace(/[?#].*$/s, '')
  const found = addresses.find(address)
  if (found?.kind === 'page' && found.page.page.path === path) return `${urls.to}${rest}`
  // On the moved page, a relative link would point to a different target.
  return isMoved && isRelative && found !== undefined ? `${address}${rest}` : undefined
}

function relativePath(file: string, target: string): string {
  const path = posix.relative(posix.dirname(file), target)
  return path.startsWith('.') ? path : `./${path}`
}

function editOf({ url, offset }: PageLink, put: string, text: string): TextEdit | undefined {
  const at = findAddress(text.slice(offset, offset + 2_000), url)
  const start = offset + at
  return text.startsWith(url, start) ? { start, end: start + url.length, put } : undefined
}

function refused(reason: string): RenamePlan {
  return { kind: 'refused', reason }
}

/** Collects edits without duplicates, since several pages may include the same snippet. */
class EditSet {
  readonly byFile = new Map<string, TextEdit[]>()

  add(file: string, edit: TextEdit | undefined): void {
    if (edit === undefined) return
    const list = this.byFile.get(file) ?? []
    if (!list.some(({ start }) => start === edit.start)) list.push(edit)
    this.byFile.set(file, list)
  }
}
