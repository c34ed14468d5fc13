/** Prints what a build knows of the pages whose text can be replaced alone. */
import { shownOf } from '../compile/shown-page.ts'
import { hashHead } from '../load/load-pages.ts'
import { pathsOf, printMarkdownHead } from '../output/page-outputs.ts'
import type { SearchIndexes } from '../output/search/search-indexes.ts'
import type { WrittenSite } from '../output/site-files.ts'
import { isSearchable } from '../plan/is-searchable.ts'
import type { PlannedPage } from '../plan/plan-pages.ts'
import type { HashedTree } from '../source/hashed-tree.ts'
import type { AssembledSite } from './assemble-site.ts'
import { lineStart, type RecordedPage, type RecordedSite } from './edit-record.ts'
import type { PipelinePage } from './page-pipeline.ts'
import { type CompiledSite, compilerSettings, type SiteRun } from './site-run.ts'

type BuiltSite = {
  readonly run: SiteRun
  readonly tree: HashedTree
  readonly compiled: CompiledSite
  readonly assembled: AssembledSite
  readonly search: SearchIndexes
  readonly written: WrittenSite
  /** The files in which anything was found. */
  readonly foundIn: ReadonlySet<string>
  readonly version: string
}

/** Returns undefined if the text of no page can be replaced alone. */
export function printEditRecord(built: BuiltSite): string | undefined {
  const { run, tree, assembled, written, version } = built
  const { pages } = built.compiled
  if (!assembled.isPlain || pages.some(hasFailed)) return undefined
  const { config } = run.site
  const origin = assembled.publicUrl && new URL(assembled.publicUrl).origin
  const site: RecordedSite = {
    settings: { ...compilerSettings(run.site, run.plan, version), specificationPages: [] },
    siteName: config.name ?? '',
    origin,
    instructions: config.markdown?.instructions,
    manifest: written.manifest,
    fullText: {
      access: written.fullText.access,
      pages: written.fullText.pages.map(({ path, url }) => {
        return url === `/${path}` ? path : [path, url]
      }),
    },
  }
  const included = new Set(pages.flatMap(({ parts }) => parts.flatMap(({ files }) => files)))
  const lines = pages.flatMap((one) => {
    const { page } = one
    if (page.file === undefined || included.has(page.file) || !isEditable(one, built)) return []
    const recorded: RecordedPage = {
      path: page.path,
      title: page.title,
      paths: pathsOf(page),
      head: hashHead(tree, page.file),
      markdownHead: printMarkdownHead(page),
      search: isSearchable(page, config) ? built.search.placeOf(page) : undefined,
    }
    return [lineStart(page.file) + JSON.stringify(recorded)]
  })
  return [JSON.stringify(site), ...lines, ''].join('\n')
}

const hasFailed = ({ parts }: PipelinePage) => parts.some(({ failed }) => failed === true)

/** Checks that nothing but the page's own files and the lists of all pages depends on its text. */
function isEditable({ page, parts }: PipelinePage, { tree, foundIn }: BuiltSite): boolean {
  const [facts] = parts
  if (page.file === undefined || facts === undefined || parts.length > 1) return false
  const isOperation = shownOf(page) !== undefined || page.backing !== undefined
  const hasCode = facts.islands !== undefined || facts.islandCode !== undefined
  const isFound = foundIn.has(page.file) || tree.hasSuppressionMark(page.file)
  return !isOperation && !isManual(page) && !hasCode && !isFound && facts.files.length === 0
}

/** Returns true for a page that documents an operation in its frontmatter. */
function isManual({ frontmatter: { fields } }: PlannedPage): boolean {
  return fields.api !== undefined || fields.openapi !== undefined
}
