/**
 * Writes `llms.txt` and the lists for parts of a site. The list in the root names the pages of the
 * default language and version. If a site has several languages, versions, products, dropdowns or
 * tabs, each of them has its own list, which the root list names. A list that would be too long for
 * agents is split into several lists.
 */
import {
  type Access,
  accessOfAny,
  divisionsOf,
  type NavDivision,
  type Navigation,
  type NavNode,
  slug,
} from '@octavo/model'
import type { BasePath } from '@octavo/theme'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { LLMS_FOLDER } from '../plan/site-paths.ts'
import { cutPages, type LlmsInput, type LlmsText, llmsTxt } from './llms.ts'

export type LlmsFile = LlmsText & { readonly path: string; readonly access: Access }

export type LlmsSite = {
  readonly name: string
  readonly description: string | undefined
  readonly instructions?: LlmsInput['instructions']
  /** Pages that programs may list, in the order of the navigation. */
  readonly pages: readonly PlannedPage[]
  readonly specifications: LlmsInput['specifications']
  readonly navigation: Navigation
  readonly basePath: BasePath
  /** Determines who may read the list of the whole site. */
  readonly access: Access
}

const PART_KINDS: ReadonlySet<string> = new Set([
  'language',
  'version',
  'product',
  'dropdown',
  'tab',
])

type Part = {
  readonly label: string
  readonly path: string
  readonly pages: readonly PlannedPage[]
  /** Determines who may read the list: readers of any of its pages. */
  readonly access: Access
}

export function llmsFiles(site: LlmsSite): readonly LlmsFile[] {
  const { name, pages, specifications, navigation, access, basePath } = site
  const taken = new Set<string>()
  const parts = findParts(navigation, new Map(pages.map((page) => [page.path, page])), taken)
  const links = parts.map((part) => ({ ...part, url: encodeURI(`/${part.path}`) }))
  const inParts = new Set(parts.flatMap((part) => part.pages))
  // Pages that are in no part are included, so that every page is in some list.
  const own = pages.filter((page) => isDefaultEdition(page) || !inParts.has(page))
  const [start] = own
  // The first page's description describes the site, if all readers of the list may read that page.
  const opening = start?.access === access ? start.description : undefined
  const description = site.description ?? opening
  const root = {
    name,
    description,
    instructions: site.instructions,
    specifications,
    pages: own,
    parts: links,
    access,
    basePath,
  }
  return [
    ...listFiles({ ...root, path: 'llms.txt', folder: distinct(`${LLMS_FOLDER}/pages`, taken) }),
    ...parts.flatMap(({ label, path, pages: listed, access: readers }) =>
      listFiles({
        name: `${name}: ${label}`,
        description,
        pages: listed,
        specifications: [],
        parts: [],
        access: readers,
        basePath,
        path,
        folder: path.replace(/\.txt$/, ''),
      }),
    ),
  ]
}

type ListInput = LlmsInput & { readonly path: string; readonly folder: string }

/** Returns one list, or a list that links to several lists if the pages do not fit into one. */
function listFiles({ path, folder, ...list }: ListInput): readonly LlmsFile[] {
  const { name, description, basePath, access } = list
  const cut = cutPages(list.pages, basePath)
  if (cut.length === 1) return [{ path, access, ...llmsTxt(list) }]
  const pieces = cut.map((pages, index) => {
    const readers = accessOfAny(pages.map((page) => page.access))
    return { pages, readers, path: `${folder}/list-${index + 1}.txt` }
  })
  const pageLists = pieces.map(({ pages, readers, path: file }, index) => ({
    label: `Pages, list ${index + 1} of ${pieces.length}: ${pages.length} pages`,
    url: encodeURI(`/${file}`),
    access: readers,
  }))
  return [
    { path, access, ...llmsTxt({ ...list, pages: [], pageLists }) },
    ...pieces.map(({ pages, readers, path: file }, index) => ({
      path: file,
      access: readers,
      ...llmsTxt({
        name: `${name}, list ${index + 1}`,
        description,
        pages,
        specifications: [],
        parts: [],
        access: readers,
        basePath,
      }),
    })),
  ]
}

function isDefaultEdition({ entry }: PlannedPage): boolean {
  const around = entry === undefined ? [] : divisionsOf(entry)
  return around.every(({ kind, isDefault }) => {
    return (kind !== 'language' && kind !== 'version') || isDefault
  })
}

function findParts(
  { root }: Navigation,
  pages: ReadonlyMap<string, PlannedPage>,
  taken: Set<string>,
): readonly Part[] {
  const parts: Part[] = []
  const visit = (division: NavDivision, around: { labels: readonly string[]; folder: string }) => {
    const below = division.children.filter((child) => child.type === 'division')
    const several = below.filter((child) => isPart(child)).length > 1
    for (const child of below) {
      if (!several || !isPart(child)) {
        visit(child, around)
        continue
      }
      const labels = [...around.labels, child.label]
      const folder = distinct(`${around.folder}/${slug(child.label) || 'part'}`, taken)
      const own = [...pathsBelow(child)].flatMap((path) => pages.get(path) ?? [])
      const access = accessOfAny(own.map((page) => page.access))
      if (own.length > 0)
        parts.push({ label: labels.join(' / '), path: `${folder}.txt`, pages: own, access })
      visit(child, { labels, folder })
    }
  }
  visit(root, { labels: [], folder: LLMS_FOLDER })
  return parts
}

function isPart({ kind, hidden, href }: NavDivision): boolean {
  return PART_KINDS.has(kind) && !hidden && href === undefined
}

function distinct(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`
  taken.add(name)
  return name
}

/** Returns the paths of all pages below a node without duplicates, in reading order. */
function pathsBelow(node: NavNode, found = new Set<string>()): ReadonlySet<string> {
  if (node.type === 'page') found.add(node.path)
  else {
    if (node.type === 'group' && node.root !== undefined) found.add(node.root.path)
    for (const child of node.children) pathsBelow(child, found)
  }
  return found
}
