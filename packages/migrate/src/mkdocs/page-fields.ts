/** Converts the frontmatter of a MkDocs page. */

import { type FindIcon, findNamedIcon, iconField } from '../page/icons.ts'
import type { MigrationReport } from '../site/report.ts'
import { titleOf } from '../site/titles.ts'
import { asValues } from '../site/values.ts'
import type { PageSource } from './page-source.ts'

type Fields = {
  readonly report: MigrationReport
  readonly hasIcon: FindIcon
  readonly navTitle: (file: string) => string | undefined
  /** The first heading, which becomes the title. */
  readonly heading: string | undefined
}

const KNOWN: ReadonlySet<string> = new Set(
  'title description icon tags hide status search date authors categories draft slug links readtime pin'.split(
    ' ',
  ),
)

export function frontmatterOf(
  { meta, file, original, path, isPlaceholder }: PageSource,
  { report, hasIcon, navTitle, heading }: Fields,
): Readonly<Record<string, unknown>> {
  const text = (key: string) => (typeof meta[key] === 'string' ? (meta[key] as string) : undefined)
  const inNavigation = navTitle(original)
  const title = plain(heading ?? text('title') ?? inNavigation ?? titleOf(path))
  const label = inNavigation ?? (heading === undefined ? undefined : text('title'))
  const search = asValues(meta.search)
  const hidden = Array.isArray(meta.hide) ? meta.hide : []
  const place = { file, line: 1 }
  for (const key of Object.keys(meta))
    if (!KNOWN.has(key))
      report.leave(
        `The field \`${key}\` of the frontmatter has no equivalent and was removed.`,
        place,
      )
  const icon = text('icon')
  const found = icon === undefined ? undefined : findNamedIcon(icon, hasIcon)
  if (icon !== undefined && found === undefined)
    report.approximate(`The icon \`${icon}\` of the page has no equivalent and was removed.`, place)
  return {
    title,
    sidebarTitle: label !== undefined && label !== title ? label : undefined,
    description: text('description'),
    icon: found === undefined ? undefined : iconField(found),
    keywords: Array.isArray(meta.tags) && meta.tags.length > 0 ? meta.tags.map(String) : undefined,
    mode: modeOf(hidden),
    tag: text('status') === 'new' ? 'New' : undefined,
    deprecated: text('status') === 'deprecated' ? true : undefined,
    noindex: isPlaceholder ? true : undefined,
    searchable: search.exclude === true ? false : undefined,
    boost: typeof search.boost === 'number' ? search.boost : undefined,
  }
}

function modeOf(hidden: readonly unknown[]): string | undefined {
  if (!hidden.includes('toc')) return undefined
  return hidden.includes('navigation') ? 'center' : 'wide'
}

/** Returns a title without Markdown, which a title field does not read. */
function plain(title: string): string {
  return title
    .replaceAll(/:(?:material|octicons|fontawesome|simple|lucide)-[\w-]+:(?:\{[^{}]*\})?/g, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/[`*]|\\(?=[<>{}[\]_])/g, '')
    .trim()
}
