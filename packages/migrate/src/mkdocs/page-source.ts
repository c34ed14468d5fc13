/** Reads the pages of a MkDocs site, with their included files. */
import { readFrontmatter } from '../folder/read-yaml.ts'
import type { MigrationReport } from '../site/report.ts'
import { lineOf, shorten } from '../site/report.ts'
import type { Values } from '../site/values.ts'
import { expandIncludes, type Includes } from './expand-includes.ts'
import { extractDrawings } from './extract-drawings.ts'
import { fillTemplates, type Templates } from './fill-templates.ts'
import { replaceGeneratedApi } from './generated-api.ts'
import { createPythonIds } from './old-urls.ts'

export type PageSource = {
  /** The path in the folder, for reports. */
  readonly file: string
  /** The path in the folder of pages. */
  readonly original: string
  /** The path of the new page. */
  readonly path: string
  /** The address on the old site, without its prefix. */
  readonly oldUrl: string
  readonly meta: Values
  /** The whole file as written. */
  readonly written: string
  /** The body with its included files. */
  readonly text: string
  /** Names whose documentation is generated on this page. */
  readonly names: readonly string[]
  /** The anchors of headings; the first is that of the title. */
  readonly anchors: readonly string[]
  readonly titleAnchor: string | undefined
  /** True if the file of the page is not in the folder. */
  readonly isPlaceholder: boolean
}

export type PageReading = {
  readonly report: MigrationReport
  readonly includes: Omit<Includes, 'convert' | 'leave'>
  readonly templates: Omit<Templates, 'convert' | 'approximate' | 'leave'> | undefined
  /** Text that is added to every page. */
  readonly appended: string
  /** True if `::: name` is a generated reference. */
  readonly isReference: boolean
  /** Receives drawings that pages contain as text. */
  readonly drawings: Map<string, string>
}

export function readPageSource(
  page: Pick<PageSource, 'file' | 'original' | 'path' | 'oldUrl' | 'written'>,
  { report, includes, templates, appended, drawings, isReference }: PageReading,
): PageSource {
  const { file, written } = page
  const place = (text: string) => ({ file, line: lineOf(written, text) })
  const says = {
    convert: (what: string) => report.convert(what),
    approximate: (why: string, text: string) =>
      report.approximate(`${why}: ${shorten(text)}`, place(text)),
    leave: (why: string, text: string) => report.leave(`${why}: ${shorten(text)}`, place(text)),
  }
  const read = readFrontmatter(file, written)
  const body = `${read.body}${appended === '' ? '' : `\n\n${appended}`}`
  const included = expandIncludes(body, { ...includes, ...says })
  const filled =
    templates === undefined ? included : fillTemplates(included, { ...templates, ...says })
  const drawn = extractDrawings(nameHeadings(filled), drawings)
  const { text, names } = replaceGeneratedApi(drawn, isReference)
  for (const name of names)
    report.leave(
      `The reference of \`${name}\` is generated from source code; the page has a placeholder.`,
      place(`::: ${name}`),
    )
  const anchors = readAnchors(text)
  return {
    ...page,
    meta: read.meta,
    text,
    names,
    ...anchors,
    isPlaceholder: false,
  }
}

const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/

/** Returns the anchors of the headings as Python-Markdown makes them, read line by line. */
function readAnchors(text: string): Pick<PageSource, 'anchors' | 'titleAnchor'> {
  const ids = createPythonIds()
  const anchors: string[] = []
  let titleAnchor: string | undefined
  let fence = ''
  for (const line of text.split('\n')) {
    const sign = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (sign !== undefined && fence === '') fence = sign
    else if (sign?.startsWith(fence) === true && fence !== '') fence = ''
    const [, depth = '', heading] = fence === '' ? (HEADING.exec(line) ?? []) : []
    if (heading === undefined) continue
    const own = /\{:?[^{}]*(?:#|\bid=["']?)([\w.:-]+)[^{}]*\}\s*$/.exec(heading)?.[1]
    const shown = heading
      .replace(/\{[^{}]*\}\s*$/, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1')
    const anchor = own ?? ids(shown)
    if (anchors.length === 0 && depth.length === 1) titleAnchor = anchor
    anchors.push(anchor)
  }
  return { anchors, titleAnchor }
}

/** Shows the name in a heading such as `## <!-- md:setting config.lang -->`, which a hook writes. */
function nameHeadings(text: string): string {
  const used = new Set<string>()
  return text.replaceAll(
    /^(#{1,6}[ \t]+)<!--[ \t]*\w+:\w+[ \t]+([\w.-]+)[^\n]*-->[ \t]*$/gm,
    (_, sign: string, name: string) => {
      const id = used.has(name) ? '' : ` {#${name}}`
      used.add(name)
      return `${sign}\`${name}\`${id}`
    },
  )
}
