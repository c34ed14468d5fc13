/** A site as it was last understood: its frame, its files, and which page stands at which path. */
import { type Diagnostic, RedirectTable } from '@octavo/model'
import { type AssembledSite, type AssemblyInput, assembleSite } from '../assemble-site.ts'
import type { HashedTree } from '../hashed-tree.ts'
import type { LoadedSite } from '../load-site.ts'
import { feedPath, htmlPath, markdownPath } from '../outputs/page-outputs.ts'
import { allRedirects } from '../outputs/redirects.ts'
import { writeMermaid } from '../outputs/script-files.ts'
import type { PlannedPage } from '../plan-pages.ts'
import { type MemoryFile, MemoryOutput } from './memory-output.ts'

export type FoundOutput =
  | { readonly kind: 'page'; readonly page: PlannedPage; readonly form: PageForm }
  | { readonly kind: 'redirect'; readonly url: string; readonly status: 307 | 308 }
  | (MemoryFile & { readonly path: string })

type PageForm = 'html' | 'markdown' | 'feed'

export type DevState = {
  readonly site: LoadedSite
  readonly tree: HashedTree
  readonly assembled: AssembledSite
  readonly output: MemoryOutput
  /** What is wrong with islands that are compiled, by their files. */
  readonly islands: Map<string, Promise<readonly Diagnostic[]>>
  readonly find: (path: string) => FoundOutput | undefined
  readonly writeMermaid: () => Promise<void>
  readonly startUrl: string
}

export type StateInput = Omit<AssemblyInput, 'output' | 'tree'> & {
  readonly tree: HashedTree
  readonly before: DevState | undefined
}

export function createState({ before, ...input }: StateInput): DevState {
  const { site, tree, scripts } = input
  const output = new MemoryOutput(before?.output)
  const assembled = assembleSite({ ...input, output })
  const pages = tableOf(assembled.pages)
  const redirects = redirectTable(site, assembled.pages)
  return {
    ...{ site, tree, assembled, output, islands: new Map() },
    find: (path) => {
      for (const candidate of [path, join(path, 'index.html')]) {
        const page = pages.get(candidate)
        if (page !== undefined) return page
        const file = output.read(candidate)
        if (file !== undefined) return { ...file, path: candidate }
      }
      return redirects(path)
    },
    writeMermaid: () => writeMermaid(output, scripts),
    startUrl: assembled.pages[0]?.url ?? '/',
  }
}

function join(folder: string, name: string): string {
  const trimmed = folder.replace(/\/+$/, '')
  return trimmed === '' ? name : `${trimmed}/${name}`
}

function tableOf(pages: readonly PlannedPage[]): ReadonlyMap<string, FoundOutput> {
  const table = new Map<string, FoundOutput>()
  for (const page of pages) {
    table.set(htmlPath(page.path), { kind: 'page', page, form: 'html' })
    if (page.alias !== undefined) {
      table.set(htmlPath(page.alias), { kind: 'page', page, form: 'html' })
    }
    table.set(markdownPath(page.path), { kind: 'page', page, form: 'markdown' })
    table.set(feedPath(page.path), { kind: 'page', page, form: 'feed' })
  }
  return table
}

function redirectTable(
  site: LoadedSite,
  pages: readonly PlannedPage[],
): (path: string) => FoundOutput | undefined {
  const urls = new Set(pages.map(({ url }) => url))
  const table = new RedirectTable(allRedirects(site, urls), (url) => urls.has(url))
  return (path) => {
    const match = table.match(`/${path}`)
    if (match === undefined) return undefined
    return {
      kind: 'redirect',
      url: match.destination,
      status: match.redirect.permanent ? 308 : 307,
    }
  }
}
