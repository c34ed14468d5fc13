/** One page file → what its outputs are made of. The part of a build that workers do. */
import {
  type ComponentNode,
  createPageParser,
  type PageHeading,
  type PageLink,
  type PageNode,
  printMarkdown,
} from '@octavo/content'
import { type Diagnostic, diagnose, slug } from '@octavo/model'
import { codeLanguages, createHighlighter, type Highlight, renderContent } from '@octavo/theme'
import { ISLAND_LOADER_URL, islandModuleUrl } from './islands/island-address.ts'

/** Starts the islands of a page; the only script that a page of ours ever has. */
const ISLAND_LOADER_TAG = `<script type="module" src="${ISLAND_LOADER_URL}"></script>`

export type CompiledPage = {
  readonly html: string
  /** The page for programs, without its title. */
  readonly markdown: string
  readonly headings: readonly PageHeading[]
  readonly links: readonly PageLink[]
  /** What a reader sees, as words. */
  readonly text: string
  /** Files that it is made of besides its own. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** It could not be made this time; another time it may be, so it is not kept. */
  readonly failed?: true
  /** Files whose components a browser has to run on this page. */
  readonly islands?: readonly string[]
  /** Entries of a changelog, for its feed. */
  readonly updates?: readonly PageUpdate[]
}

export type PageUpdate = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly html: string
}

export type CompilerInput = {
  readonly read: (path: string) => string | undefined
  /** `variables` of docs.json. */
  readonly variables: Readonly<Record<string, string>>
}

export type PageCompiler = (file: string) => Promise<CompiledPage>

/** A compiler for one build: it keeps snippets and highlighted code. */
export function createPageCompiler(input: CompilerInput): PageCompiler {
  const parse = createPageParser(input)
  const { highlight, load } = createHighlighter()
  return async (file) => {
    const text = input.read(file)
    if (text === undefined) return unreadable(file, 'it cannot be read')
    try {
      const page = parse(file, text)
      const { children, ...rest } = page
      await load(codeLanguages(children))
      const islands = [...islandFiles(children)].toSorted()
      const content = renderContent(children, { highlight, islandModule: islandModuleUrl })
      const html = islands.length === 0 ? content : `${content}${ISLAND_LOADER_TAG}`
      const updates = findUpdates(children).map((update) => readUpdate(update, highlight))
      const markdown = printMarkdown(children)
      return { ...rest, html, markdown, ...optional({ updates, islands }) }
    } catch (error) {
      return unreadable(file, error instanceof Error ? error.message : String(error))
    }
  }
}

/** Only the lists that hold something: most pages have neither. */
function optional<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Partial<Lists> {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0)
  return Object.fromEntries(filled) as Partial<Lists>
}

function islandFiles(nodes: readonly PageNode[], found = new Set<string>()): Set<string> {
  for (const node of nodes) {
    if (typeof node === 'string' || !('children' in node)) continue
    if (node.kind === 'island') found.add(node.source.file)
    islandFiles(node.children, found)
    if ('slots' in node)
      for (const slot of Object.values(node.slots ?? {})) islandFiles(slot, found)
  }
  return found
}

function findUpdates(nodes: readonly PageNode[]): readonly ComponentNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string' || !('children' in node)) return []
    return node.kind === 'component' && node.name === 'Update' ? [node] : findUpdates(node.children)
  })
}

function readUpdate(update: ComponentNode, highlight: Highlight): PageUpdate {
  const { label, description } = update.props
  const title = typeof label === 'string' ? label : ''
  return {
    id: slug(title),
    title,
    description: typeof description === 'string' ? description : '',
    html: renderContent(update.children, { highlight }),
  }
}

/** A page that made the compiler fail is a page with a problem; the others go on. */
export function unreadable(file: string, reason: string): CompiledPage {
  const place = { file, line: 1, column: 1 }
  const message = `The page could not be made: ${reason}.`
  const hint = 'Simplify the page. If nothing in it looks unusual, please report it.'
  const diagnostics = [diagnose('content/limit', place, { message, hint })]
  const nothing = { html: '', markdown: '', headings: [], links: [], text: '', files: [] }
  return { ...nothing, diagnostics, failed: true }
}
