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
import {
  codeLanguages,
  createHighlighter,
  type Highlight,
  type Highlighter,
  PageNotes,
  renderContent,
  type StylePart,
} from '@octavo/theme'
import { ISLAND_LOADER_URL, islandModuleUrl } from './islands/island-address.ts'
import { type CodePlaces, codeKey, findCode, type KnownCode } from './known-code.ts'

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
  /** Highlighted code in the HTML, for the next version of the page. */
  readonly code: CodePlaces
  /** It could not be made this time; another time it may be, so it is not kept. */
  readonly failed?: true
  /** Files whose components a browser has to run on this page. */
  readonly islands?: readonly string[]
  /** Stylesheets that it needs besides the one of all pages. */
  readonly styles?: readonly StylePart[]
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

/** `known` is code of the page as it was before. */
export type PageCompiler = (file: string, known?: KnownCode) => Promise<CompiledPage>

/** A compiler for one build: it keeps snippets and highlighted code. */
export function createPageCompiler(input: CompilerInput): PageCompiler {
  const parse = createPageParser(input)
  const highlighter = createHighlighter()
  return async (file, known = []) => {
    const text = input.read(file)
    if (text === undefined) return unreadable(file, 'it cannot be read')
    try {
      const page = parse(file, text)
      const { children, ...rest } = page
      const { html: content, code, notes } = await render(children, { highlighter, known })
      const islands = [...islandFiles(children)].toSorted()
      const html = islands.length === 0 ? content : `${content}${ISLAND_LOADER_TAG}`
      const updates = await readUpdates(children, highlighter)
      const markdown = printMarkdown(children)
      const headings = notes.outline(rest.headings)
      const styles = notes.styleParts
      return { ...rest, headings, html, code, markdown, ...optional({ updates, islands, styles }) }
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

async function readUpdates(
  nodes: readonly PageNode[],
  { highlight, load }: Highlighter,
): Promise<readonly PageUpdate[]> {
  const updates = findUpdates(nodes)
  if (updates.length > 0) await load(codeLanguages(updates))
  return updates.map(({ props: { label, description }, children }) => {
    const title = typeof label === 'string' ? label : ''
    return {
      id: slug(title),
      title,
      description: typeof description === 'string' ? description : '',
      html: renderContent(children, { highlight }),
    }
  })
}

type Rendered = {
  readonly html: string
  readonly code: CodePlaces
  readonly notes: PageNotes
}

async function render(
  nodes: readonly PageNode[],
  { highlighter, known }: { readonly highlighter: Highlighter; readonly known: KnownCode },
): Promise<Rendered> {
  const before = new Map(known)
  const code: [key: string, html: string][] = []
  let isComplete = before.size > 0
  const reuse: Highlight = (text, language) => {
    if (language === undefined) return highlighter.highlight(text, language)
    const key = codeKey(text, language)
    const lines = before.get(key)
    if (lines === undefined) isComplete = false
    code.push([key, lines ?? ''])
    return lines?.split('\n') ?? []
  }
  if (isComplete) {
    const notes = new PageNotes()
    const html = renderContent(nodes, { highlight: reuse, islandModule: islandModuleUrl, notes })
    if (isComplete) return { html, code: findCode(html, code), notes }
  }
  code.length = 0
  await highlighter.load(codeLanguages(nodes))
  const highlight: Highlight = (text, language) => {
    const lines = highlighter.highlight(text, language)
    if (language !== undefined) code.push([codeKey(text, language), lines.join('\n')])
    return lines
  }
  const notes = new PageNotes()
  const html = renderContent(nodes, { highlight, islandModule: islandModuleUrl, notes })
  return { html, code: findCode(html, code), notes }
}

/** A page that made the compiler fail is a page with a problem; the others go on. */
export function unreadable(file: string, reason: string): CompiledPage {
  const place = { file, line: 1, column: 1 }
  const message = `The page could not be made: ${reason}.`
  const hint = 'Simplify the page. If nothing in it looks unusual, please report it.'
  const diagnostics = [diagnose('content/limit', place, { message, hint })]
  const nothing = { html: '', markdown: '', headings: [], links: [], text: '', files: [] }
  return { ...nothing, code: [], diagnostics, failed: true }
}
