/**
 * The last state of a site that could be read: the page frame, the files, and the page at each
 * path.
 */
import { RedirectTable } from '@octavo/model'
import { parseMarkdownPartPath } from '@octavo/search'
import type { LoadedSite } from '../load/load-site.ts'
import { MemoryOutput } from '../output/memory-output.ts'
import { writeMermaid } from '../output/script-files.ts'
import { type AssembledSite, type AssemblyInput, assembleSite } from '../pipeline/assemble-site.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import { planSite, type SitePlan } from '../plan/plan-site.ts'
import { allRedirects } from '../plan/redirects.ts'
import { feedPath, htmlPath, markdownPath } from '../plan/site-paths.ts'

export type FoundOutput =
  | {
      readonly kind: 'page'
      readonly page: PlannedPage
      readonly form: PageForm
      /** The number of the part of a long page's Markdown, starting from 1. */
      readonly part?: number
    }
  | { readonly kind: 'redirect'; readonly url: string; readonly status: 307 | 308 }
  | { readonly kind: 'content'; readonly path: string; readonly content: string | Uint8Array }

type PageForm = 'html' | 'markdown' | 'feed'

export type SiteState = {
  readonly site: LoadedSite
  readonly plan: SitePlan
  readonly assembled: AssembledSite
  readonly output: MemoryOutput
  readonly find: (path: string) => FoundOutput | undefined
  readonly writeMermaid: () => Promise<void>
  readonly startUrl: string
}

export type StateInput = Omit<AssemblyInput, 'output' | 'pages'> & {
  readonly before: SiteState | undefined
}

export function createState({ before, ...input }: StateInput): SiteState {
  const { site, tree, scripts } = input
  const plan = planSite(site, tree)
  const output = new MemoryOutput(before?.output)
  const assembled = assembleSite({ ...input, pages: plan.pages, output, withoutHtml: true })
  const findPage = pageFinder(plan.pages)
  const redirects = redirectTable(site, plan.pages)
  return {
    site,
    plan,
    assembled,
    output,
    find: (path) => {
      for (const candidate of [path, join(path, 'index.html')]) {
        const page = findPage(candidate)
        if (page !== undefined) return page
        const content = output.read(candidate)
        if (content !== undefined) return { kind: 'content', path: candidate, content }
      }
      return redirects(path)
    },
    writeMermaid: () => writeMermaid(output, scripts),
    startUrl: plan.pages[0]?.url ?? '/',
  }
}

function join(folder: string, name: string): string {
  const trimmed = folder.replace(/\/+$/, '')
  return trimmed === '' ? name : `${trimmed}/${name}`
}

/**
 * Returns a function that finds pages by output path. It does not list all output paths, because
 * there may be many pages.
 */
function pageFinder(pages: readonly PlannedPage[]): (path: string) => FoundOutput | undefined {
  const byPath = new Map<string, PlannedPage>()
  for (const page of pages) if (page.alias !== undefined) byPath.set(page.alias, page)
  for (const page of pages) byPath.set(page.path, page)
  return (path) => {
    const later = parseMarkdownPartPath(path)
    const long = later && byPath.get(later.path)
    if (long !== undefined && long.path === later?.path)
      return { kind: 'page', page: long, form: 'markdown', part: later.part }
    for (const [form, ending, pathOf] of FORMS) {
      if (!path.endsWith(ending)) continue
      const page = byPath.get(path.slice(0, -ending.length).replace(/\/$/, '') || 'index')
      const own = [page?.path, form === 'feed' ? undefined : page?.alias]
      if (page !== undefined && own.some((one) => one !== undefined && pathOf(one) === path)) {
        return { kind: 'page', page, form }
      }
    }
    return undefined
  }
}

const FORMS: readonly (readonly [PageForm, string, (path: string) => string])[] = [
  ['html', 'index.html', htmlPath],
  ['markdown', '.md', markdownPath],
  ['feed', 'rss.xml', feedPath],
]

function redirectTable(
  site: LoadedSite,
  pages: readonly PlannedPage[],
): (path: string) => FoundOutput | undefined {
  // The table is created on demand, because it may be large and most requests find a page.
  let table: RedirectTable | undefined
  return (path) => {
    table ??= makeTable(site, pages)
    const match = table.match(`/${path}`)
    if (match === undefined) return undefined
    return {
      kind: 'redirect',
      url: match.destination,
      status: match.redirect.permanent ? 308 : 307,
    }
  }
}

function makeTable(site: LoadedSite, pages: readonly PlannedPage[]): RedirectTable {
  const urls = new Set(pages.map(({ url }) => url))
  return new RedirectTable(allRedirects(site, pages), (url) => urls.has(url))
}
