/** Reads the pages of a folder of documentation, with the ids and addresses that Docusaurus computes. */
import { posix } from 'node:path'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { readFrontmatter } from '../folder/read-yaml.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'
import type { MigrationReport } from '../site/report.ts'
import { titleOf } from '../site/titles.ts'
import type { Values } from '../site/values.ts'
import { type DocSet, joinRoute } from './doc-sets.ts'

export type PageSource = {
  readonly file: string
  readonly set: DocSet
  /** The path in the folder of documentation. */
  readonly original: string
  /** The id that sidebars use. */
  readonly id: string
  /** The path of the new page. */
  readonly path: string
  readonly meta: Values
  readonly written: string
  readonly body: string
  readonly title: string
}

const PAGE = /\.mdx?$/
/** Partials, which pages import, and files that are no pages. */
const PARTIAL = /(?:^|\/)_|\.(?:test|spec)\.mdx?$|(?:^|\/)__tests__\//

export function readPages(
  set: DocSet,
  { folder, report }: { readonly folder: ForeignFolder; readonly report: MigrationReport },
): readonly PageSource[] {
  const prefix = set.folder === '' ? '' : `${set.folder}/`
  return folder.files.flatMap((file): readonly PageSource[] => {
    const original = file.slice(prefix.length)
    if (!file.startsWith(prefix) || !PAGE.test(file) || PARTIAL.test(original)) return []
    const written = folder.read(file)
    const place = { file, line: 1 }
    if (written === undefined || written.length > MIGRATE_LIMITS.includedSizeMax) {
      report.leave('The file is no page, because it is too large.', place)
      return []
    }
    const { meta, body } = readFrontmatter(file, written)
    if (meta.draft === true) {
      report.leave('The page is a draft and was skipped.', place)
      return []
    }
    return [
      {
        file,
        set,
        original,
        written,
        body,
        meta,
        ...addressOf({ original, set, meta }),
        title: titleFrom(body, meta, original),
      },
    ]
  })
}

/** Removes the number that orders a file or folder, such as `01-`. */
export function withoutNumber(name: string): string {
  // Dates and versions are no numbers for the order.
  if (/^\d+[-_.]\d+/.test(name)) return name
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name
}

export function numberOf(name: string): number | undefined {
  return withoutNumber(name) === name ? undefined : Number.parseInt(name, 10)
}

function addressOf({
  original,
  set,
  meta,
}: Pick<PageSource, 'original' | 'set' | 'meta'>): Pick<PageSource, 'id' | 'path'> {
  const parts = original.replace(PAGE, '').split('/')
  const names = parts.map(withoutNumber)
  const name = names.pop() ?? ''
  const folder = names.join('/')
  const base = typeof meta.id === 'string' ? meta.id : name
  const slug = typeof meta.slug === 'string' ? meta.slug : undefined
  const parent = names.at(-1)?.toLowerCase() ?? ''
  const isIndex = ['index', 'readme', parent].includes(name.toLowerCase())
  const usual = isIndex ? folder : joinRoute(folder, base)
  const below =
    slug === undefined ? usual : slug.startsWith('/') ? slug : posix.join('/', folder, slug)
  const route = joinRoute(set.route, below)
  const isFolder = (isIndex && slug === undefined) || joinRoute(below) === ''
  return {
    id: joinRoute(folder, base),
    path: route === '' ? 'index' : isFolder ? `${route}/index` : route,
  }
}

const HEADING =
  /^\s*(?:<!--[\s\S]*?-->\s*|\{\/\*[\s\S]*?\*\/\}\s*|import\s[^\n]*\n\s*)*#[ \t]+([^\n]+)/

/** The first heading of level one is the title if nothing but imports is before it. */
export function titleHeading(body: string): string | undefined {
  return HEADING.exec(body)?.[1]
    ?.replace(/\s*\{#[^{}]*\}\s*$|[ \t]#+$/g, '')
    .trim()
}

function titleFrom(body: string, meta: Values, original: string): string {
  const heading = titleHeading(body)
  const written =
    typeof meta.title === 'string' || typeof meta.title === 'number'
      ? String(meta.title)
      : undefined
  const title = heading ?? written ?? titleOf(original.replace(PAGE, ''))
  return title
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/[`*]|\\(?=[^\w\s])/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
}
