/** Converts the frontmatter of a GitBook page. */
import { asValues } from '../site/values.ts'
import type { PageContext, PartContext } from './convert-page.ts'
import type { PageSource } from './page-source.ts'

const KNOWN: ReadonlySet<string> = new Set(
  'title description icon hidden cover coverY coverHeight coverDarkUrl layout tags vars'.split(' '),
)

export function frontmatterOf(
  source: PageSource,
  {
    report,
    hasIcon,
    listed,
    titleOf,
    heading,
  }: PageContext & { readonly heading: string | undefined },
): Readonly<Record<string, unknown>> {
  const { meta, file } = source
  const place = { file, line: 1 }
  const text = (key: string) => (typeof meta[key] === 'string' ? String(meta[key]) : undefined)
  const entry = listed(file)
  const title = heading ?? titleOf(source)
  const label = entry?.label ?? entry?.title
  for (const key of Object.keys(meta))
    if (!KNOWN.has(key))
      report.leave(
        `The field \`${key}\` of the frontmatter has no equivalent and was removed.`,
        place,
      )
  const icon = text('icon')
  const isIcon = icon !== undefined && hasIcon(icon, 'fontawesome')
  if (icon !== undefined && !isIcon)
    report.approximate(`The icon \`${icon}\` of the page has no equivalent and was removed.`, place)
  return {
    title,
    sidebarTitle: label !== undefined && label !== title ? label : undefined,
    description: text('description')?.trim(),
    icon: isIcon ? icon : undefined,
    keywords: Array.isArray(meta.tags) && meta.tags.length > 0 ? meta.tags.map(String) : undefined,
    mode: modeOf(asValues(meta.layout)),
    hidden: entry === undefined || meta.hidden === true ? true : undefined,
  }
}

function modeOf(layout: Readonly<Record<string, unknown>>): string | undefined {
  const isHidden = (part: string) => asValues(layout[part]).visible === false
  if (!isHidden('outline')) return undefined
  return isHidden('tableOfContents') ? 'center' : 'wide'
}

/** Returns the image that GitBook shows above the title. */
export function coverOf({ meta }: PageSource, { address, report }: PartContext): string {
  if (typeof meta.cover !== 'string') return ''
  report.convert('cover image')
  return `<img src="${address(meta.cover).replaceAll('"', '%22')}" alt="" />`
}
