/** Converts the frontmatter of a Docusaurus page. */
import type { PageContext } from './convert-page.ts'
import type { PageSource } from './page-source.ts'

const KNOWN: ReadonlySet<string> = new Set(
  `id slug title sidebar_label sidebar_position sidebar_class_name sidebar_key sidebar_custom_props description
  keywords tags image hide_title hide_table_of_contents toc_min_heading_level toc_max_heading_level pagination_label
  pagination_next pagination_prev custom_edit_url unlisted draft last_update displayed_sidebar format
  parse_number_prefixes original_id`.split(/\s+/),
)

export function frontmatterOf(
  { meta, file, path, title }: PageSource,
  { report, label }: Pick<PageContext, 'report' | 'label'>,
): Readonly<Record<string, unknown>> {
  const text = (key: string) => (typeof meta[key] === 'string' ? String(meta[key]) : undefined)
  const inSidebar = text('sidebar_label') ?? label(path)
  for (const key of Object.keys(meta))
    if (!KNOWN.has(key))
      report.leave(`The field \`${key}\` of the frontmatter has no equivalent and was removed.`, {
        file,
        line: 1,
      })
  const words = [meta.keywords, meta.tags].flatMap((list) => (Array.isArray(list) ? list : []))
  const keywords = words.filter((word) => typeof word === 'string')
  const isAlone = meta.pagination_next === null && meta.pagination_prev === null
  return {
    title,
    sidebarTitle: inSidebar !== undefined && inSidebar !== title ? inSidebar : undefined,
    description: text('description')?.trim(),
    keywords: keywords.length > 0 ? keywords : undefined,
    mode: meta.hide_table_of_contents === true ? 'wide' : undefined,
    hidden: meta.unlisted === true ? true : undefined,
    hideFooterPagination: isAlone ? true : undefined,
  }
}
