/** Converts one page of Docusaurus to MDX of Octavo. */
import { markdownToMdx, replaceForeign } from '@octavo/content'
import { mapProse, replaceOutsideCode } from '../page/map-prose.ts'
import { isOutside, splitAddress } from '../site/addresses.ts'
import type { ForeignPage } from '../site/foreign-site.ts'
import { lineOf, type MigrationReport, type Place } from '../site/report.ts'
import { convertCode } from './convert-code.ts'
import { convertImports } from './convert-imports.ts'
import { codeRanges, convertTags } from './convert-tags.ts'
import { frontmatterOf } from './page-fields.ts'
import { type PageSource, titleHeading } from './page-source.ts'
import type { SiteAddresses } from './site-addresses.ts'
import { convertWideTabs } from './wide-tabs.ts'

export type PageContext = {
  readonly report: MigrationReport
  readonly addresses: SiteAddresses
  readonly base: string
  readonly read: (file: string) => string | undefined
  /** True if files that end with `.md` are plain Markdown. */
  readonly isDetected: boolean
  readonly label: (path: string) => string | undefined
  /** Converts a partial to a snippet; returns its path, or undefined if it cannot be read. */
  readonly makeSnippet: (file: string, from: PageSource) => string | undefined
}

/** What the conversion of a part of a page needs. */
export type PartContext = PageContext & {
  readonly source: PageSource
  readonly placeOf: (written: string) => Place
  /** Returns the new address, and reports what leads to nothing. */
  readonly address: (url: string) => string
  readonly fileAddress: (path: string) => string | undefined
  readonly snippet: (file: string) => string | undefined
}

export function convertPage(source: PageSource, context: PageContext): ForeignPage {
  const { path, file } = source
  const frontmatter = frontmatterOf(source, context)
  return { source: file, path, frontmatter, body: convertBody(source, context, true) }
}

/** `isPage` is false for a partial, whose first heading is part of the page that includes it. */
export function convertBody(source: PageSource, context: PageContext, isPage: boolean): string {
  const part = partContext(source, context)
  const { report, placeOf } = part
  const whole = mapProse(source.body, (prose) => prose, openPageText)
  const untitled = isPage ? withoutTitle(whole) : whole
  const imported = convertImports(convertWideTabs(untitled), part)
  const coded = mapProse(
    imported.text,
    (prose) => convertProse(prose, part),
    (code) => convertCode(code, part),
  )
  const tagged = convertTags(coded, imported, part)
  const foreign = replaceForeign(tagged)
  for (const [kind, number] of foreign.replaced) report.convert(kind, number)
  for (const { message, offset } of foreign.left)
    report.leave(message, placeOf(foreign.text.slice(offset, offset + 60)))
  const linked = mapProse(foreign.text, (prose) => convertLinks(prose, part))
  const isMarkdown =
    source.meta.format === 'md' || (context.isDetected && source.file.endsWith('.md'))
  const text = isMarkdown ? markdownToMdx(linked, { address: () => undefined }).text : linked
  return [imported.imports.join('\n'), numberHeadings(text).trim()]
    .filter((one) => one !== '')
    .join('\n\n')
}

function partContext(source: PageSource, context: PageContext): PartContext {
  const { addresses, makeSnippet } = context
  const placeOf = (written: string) => ({
    file: source.file,
    line: lineOf(source.written, written),
  })
  const fileAddress = (path: string) => addresses.ofFile(source.file, path, source.set.folder)
  const reported = { ...context, source, placeOf, fileAddress }
  return {
    ...reported,
    address: (url) => newAddress(url, reported),
    snippet: (file) => makeSnippet(file, source),
  }
}

/** Returns the text of `mdx-code-block`, which Docusaurus shows as part of the page. */
function openPageText(code: string): string {
  const [, inner] =
    /^(?:`{3,}|~{3,})mdx-code-block[ \t]*\n([\s\S]*?)\n?(?:`{3,}|~{3,})[ \t]*$/.exec(code) ?? []
  return inner === undefined ? code : `\n${inner}\n`
}

function withoutTitle(body: string): string {
  const title = titleHeading(body)
  if (title === undefined) return body
  const at = body.search(/^#[ \t]/m)
  const end = body.indexOf('\n', at)
  return body.slice(0, at) + (end < 0 ? '' : body.slice(end))
}

function convertProse(prose: string, { report, placeOf }: PartContext): string {
  const code = codeRanges(prose).filter(({ from }) => prose.charAt(from) === '`')
  const isCode = (at: number) => code.some(({ from, to }) => at >= from && at < to)
  return prose
    .replaceAll(/<!--([\s\S]*?)-->/g, (written, inner: string, at: number) =>
      isCode(at) ? written : `{/*${inner.replaceAll('*/', '* /')}*/}`,
    )
    .replaceAll(/^<head>[\s\S]*?<\/head>[ \t]*$/gm, (written) => {
      report.leave(
        'The tags in `<head>` were removed. Write the title and description into the frontmatter.',
        placeOf(written),
      )
      return ''
    })
    .replaceAll(/^(#{1,6}[ \t][^\n]*?)[ \t]*\{\/\*[ \t]*#([\w-]+)[ \t]*\*\/\}[ \t]*$/gm, '$1 {#$2}')
}

const LINK = /(\]\()(<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))+)(?=[\s)])/g
const DEFINITION = /^([ \t]*\[[^\]\n]+\]:[ \t]+)(<[^<>\n]*>|[^\s<>]+)/gm

function convertLinks(prose: string, { address }: PartContext): string {
  const put = (_: string, before = '', url = '') => {
    const plain = url.startsWith('<') ? url.slice(1, -1) : url
    const found = address(plain)
    return `${before}${found === plain ? url : found.replaceAll(/[()\s]/g, encodeSign)}`
  }
  return replaceOutsideCode(replaceOutsideCode(prose, LINK, put), DEFINITION, put)
}

function encodeSign(sign: string): string {
  return sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign)
}

type Addressed = Omit<PartContext, 'address' | 'snippet'>

function newAddress(written: string, context: Addressed): string {
  const { addresses, source, report, placeOf, fileAddress } = context
  const url = written.replace(/^pathname:\/\/(?=\/)/, '')
  if (url.startsWith('#') || isOutside(url) || url.startsWith('{')) return url
  const { path, query, fragment } = splitAddress(url)
  if (path === '') return url
  const reportText = (found: string) => {
    if (/\.txt$/.test(found) && !/\.txt$/.test(path))
      report.approximate(
        `\`${written}\` is published as text, since Octavo does not serve such files.`,
        placeOf(written),
      )
  }
  const file = fileAddress(path)
  if (file !== undefined) {
    reportText(file)
    return file + query + fragment
  }
  const page = `/${source.path.replace(/(?:^|\/)index$/, '')}`
  const folders = path.startsWith('/') ? [''] : [page.replace(/[^/]*$/, ''), `${page}/`]
  for (const folder of folders) {
    const resolved = path.startsWith('/')
      ? path
      : new URL(path, `https://a.example${folder}`).pathname
    const found = addresses.ofUrl(decodePath(resolved))
    if (found === undefined) continue
    reportText(found.url)
    if (found.isLeft)
      report.approximate(
        `\`${written}\` leads to something that was not moved, so it leads to the old site.`,
        placeOf(written),
      )
    return found.url + query + fragment
  }
  report.leave(`\`${written}\` leads to nothing in the old site.`, placeOf(written))
  return url.replace(/^@site\/(?:static\/)?/, '/')
}

function decodePath(path: string): string {
  return splitAddress(path).path
}

/** Docusaurus numbers the second of two equal headings with 1, and Octavo with 2. */
function numberHeadings(text: string): string {
  const counts = new Map<string, number>()
  const taken = new Set<string>()
  return mapProse(text, (prose) =>
    prose.replaceAll(/^(#{2,6})[ \t]+([^\n]+)$/gm, (written, _signs: string, heading: string) => {
      const own = /[ \t]*\{#([^{}]+)\}\s*$/.exec(heading)
      if (own !== null) {
        const isTaken = taken.has(own[1] ?? '')
        taken.add(own[1] ?? '')
        return isTaken ? written.replace(own[0], '') : written
      }
      const slug = heading
        .replaceAll(/<[^<>]*>|`|\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .trim()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-')
      const count = counts.get(slug) ?? 0
      counts.set(slug, count + 1)
      return count === 0 || slug === '' ? written : `${written.trimEnd()} {#${slug}-${count}}`
    }),
  )
}
