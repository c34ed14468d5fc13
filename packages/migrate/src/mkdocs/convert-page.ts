/** Converts one Markdown page of MkDocs to MDX. */
import { posix } from 'node:path'
import { type ForeignSyntax, markdownToMdx, replaceForeign } from '@octavo/content'
import { joinPath } from '@octavo/model'
import { type FindIcon, findNamedIcon, iconTag } from '../page/icons.ts'
import { mapProse, replaceOutsideCode } from '../page/map-prose.ts'
import { isOutside, splitAddress } from '../site/addresses.ts'
import type { ForeignPage } from '../site/foreign-site.ts'
import { lineOf, type MigrationReport, shorten } from '../site/report.ts'
import { convertDefinitions } from './convert-definitions.ts'
import { convertGrids } from './convert-grids.ts'
import { createPythonIds, resolveUrl } from './old-urls.ts'
import { frontmatterOf } from './page-fields.ts'
import type { PageSource } from './page-source.ts'
import { rewritePython } from './python-markdown.ts'

export type PageContext = {
  readonly report: MigrationReport
  readonly hasIcon: FindIcon
  readonly variables: ReadonlySet<string>
  /** Title of the page in the navigation. */
  readonly navTitle: (file: string) => string | undefined
  /** Returns the new address of a page or file by its path in the old site; undefined if unknown. */
  readonly addressOf: (file: string, fragment: string) => string | undefined
  /** Returns the new address for a path of the old site, without its prefix. */
  readonly addressOfUrl: (path: string, fragment: string) => string | undefined
  /** Returns the address of a name in the API or of a heading. */
  readonly addressOfName: (name: string) => string | undefined
}

export function convertPage(source: PageSource, context: PageContext): ForeignPage {
  const { report, variables } = context
  const { file, path } = source
  const placeOf = (written: string) => ({ file, line: lineOf(source.written, written) })
  const abbreviations = readAbbreviations(source.text)
  const count = (what: string) => report.convert(what)
  const prepared = prepareCode(
    convertDefinitions(convertGrids(mapProse(abbreviations.text, rewritePython), count), count),
    (what, written) => report.leave(what, placeOf(written)),
  )
  const foreign = replaceForeign(prepared, (written, syntax) =>
    approximate(written, syntax, { ...context, placeOf }),
  )
  for (const [kind, number] of foreign.replaced) report.convert(kind, number)
  for (const { message, offset } of foreign.left) {
    // The attributes of an image are read together with the image below.
    const isOfImage =
      foreign.text.charAt(offset - 1) === ')' && message.includes('is a list of attributes')
    if (!isOfImage) report.leave(message, placeOf(foreign.text.slice(offset, offset + 60)))
  }
  for (const written of undefinedReferences(foreign.text)) {
    report.leave(
      `${shorten(written)} is shown as text, as before: the page does not define this reference.`,
      placeOf(written),
    )
  }
  const headingId = createPythonIds()
  const mdx = markdownToMdx(iconProps(foreign.text, context.hasIcon), {
    address: ({ url, kind }) => newAddress(url, kind, { source, context, placeOf }),
    headingId,
    isVariable: (name) => {
      if (variables.has(name)) return true
      report.leave(
        `\`{{ ${name} }}\` is shown as text; a hook or plugin filled it in.`,
        placeOf(name),
      )
      return false
    },
    abbreviations: abbreviations.meanings,
    drop: (written) =>
      report.leave(`This markup was removed: ${shorten(written)}`, placeOf(written)),
  })
  const frontmatter = frontmatterOf(source, { ...context, heading: mdx.title?.text })
  return { source: file, path, frontmatter, body: mdx.text }
}

const DEFINITION = /^[ \t>]*\[([^\]\n]{1,200})\]:[ \t]*\S/gm

/** Returns links whose reference the page does not define, and which Markdown shows as text. */
function undefinedReferences(text: string): readonly string[] {
  const labelOf = (label: string) => label.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const defined = new Set([...text.matchAll(DEFINITION)].map(([, label = '']) => labelOf(label)))
  const found: string[] = []
  mapProse(text, (prose) =>
    replaceOutsideCode(prose, /\]\[([^[\]\n]{1,200})\]/g, (written = '', label = '') => {
      if (!defined.has(labelOf(label))) found.push(written.slice(1))
      return written
    }),
  )
  return found
}

type Placed = PageContext & {
  readonly placeOf: (written: string) => { file: string; line: number }
}

/** Replaces syntax that has no exact equivalent with the closest thing, and reports it. */
function approximate(
  written: string,
  { message }: ForeignSyntax,
  context: Placed,
): string | undefined {
  const { report, placeOf, hasIcon, addressOfName } = context
  if (message.includes('is an icon of')) {
    const icon = findNamedIcon(written, hasIcon)
    report.approximate(
      icon === undefined
        ? `The icon ${written} has no equivalent and was removed.`
        : `The icon ${written} became the similar icon \`${icon.name}\`.`,
      placeOf(written),
    )
    return icon === undefined ? '' : iconTag(icon)
  }
  if (message.includes('is a cross-reference of')) {
    const [, shown = '', name = ''] = /^\[([\s\S]*)\]\[([^\]]*)\]$/.exec(written) ?? []
    const target = (name === '' ? shown : name).replaceAll('`', '')
    const label = shown === '' ? `\`${target}\`` : shown
    const text = name === '' && !shown.includes('`') ? `\`${target}\`` : label
    const address = addressOfName(target)
    if (address !== undefined) {
      report.convert('cross-reference')
      return `[${text}](${address})`
    }
    report.approximate(
      `The cross-reference ${written} leads to generated documentation and is text now.`,
      placeOf(written),
    )
    return text
  }
  if (message.includes('is a list of attributes')) {
    // The attributes of images are read together with the image.
    if (/(?:width|height)=/.test(written)) return undefined
    const id = /#([\w-]+)/.exec(written)?.[1]
    return id === undefined ? '' : `<span id="${id}"></span>`
  }
  return undefined
}

/** Resolves icon shortcodes in titles and in the cards that the conversion of grids wrote. */
function iconProps(text: string, hasIcon: FindIcon): string {
  return text
    .replaceAll(
      /(<[A-Z]\w* (?:[^>\n]*? )?)title="(:[a-z]+-[\w-]+:)(?:\{[^"{}]*\})?[ \t]*([^"\n]+)"/g,
      (_, before: string, icon: string, title: string) =>
        `${before}title="${title}" icon="${icon}"`,
    )
    .replaceAll(/(<[A-Z]\w* [^>\n]*?) icon="(:[^":]+:)"/g, (_, before: string, written: string) => {
      const icon = findNamedIcon(written, hasIcon)
      if (icon === undefined) return before
      const library = icon.library === 'fontawesome' ? '' : ` iconLibrary="${icon.library}"`
      return `${before} icon="${icon.name}"${library}`
    })
}

const ABBREVIATION = /^\*\[([^\]\n]{1,100})\]:[ \t]*(\S.*)$/

function readAbbreviations(text: string) {
  const meanings = new Map<string, string>()
  if (!text.includes('*[')) return { text, meanings }
  const lines = text.split('\n').filter((line) => {
    const [, word, meaning = ''] = ABBREVIATION.exec(line.trim()) ?? []
    if (word === undefined) return true
    meanings.set(word, meaning.trim())
    return false
  })
  return { text: lines.join('\n'), meanings }
}

const FENCE = /^([ \t>]*)(`{3,}|~{3,})(.*)$/
/** Fences whose content MkDocs runs. */
const RUN = /^\s*\{?\s*\.?(textual|rich)\b|\bexec="?(?:on|1|true|yes)/

/** Keeps the numbers of code annotations, and replaces code that MkDocs runs by a note. */
function prepareCode(text: string, leave: (what: string, written: string) => void): string {
  const result: string[] = []
  let open: { sign: string; line: string; isRun: boolean; at: number } | undefined
  for (const line of text.split('\n')) {
    const [, indent = '', sign, info = ''] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (sign === undefined || info.includes('`')) {
        result.push(line)
        continue
      }
      open = { sign, line, isRun: RUN.test(info), at: result.length }
      result.push(open.isRun ? `${indent}${sign}python` : line)
      continue
    }
    const isEnd = sign?.startsWith(open.sign) === true && info.trim() === ''
    if (!isEnd) {
      result.push(line.replace(/((?:#|\/\/|--|\/\*|<!--|;|%)[ \t]*\(\d{1,3}\))!/, '$1'))
      continue
    }
    if (open.isRun) {
      leave('MkDocs runs this code and shows its output, which is not moved.', open.line)
      const isEmpty = result.slice(open.at + 1).every((one) => one.trim() === '')
      if (isEmpty) {
        const path = /path="([^"]+)"/.exec(open.line)?.[1]
        const name = path === undefined ? 'the example' : `\`${posix.basename(path)}\``
        result.splice(open.at, result.length, `${indent}*The output of ${name} is generated.*`)
      } else result.push(line)
    } else result.push(line)
    open = undefined
  }
  return result.join('\n')
}

type Addressed = {
  readonly source: PageSource
  readonly context: PageContext
  readonly placeOf: Placed['placeOf']
}

function newAddress(
  url: string,
  kind: 'link' | 'image' | 'html',
  { source, context, placeOf }: Addressed,
): string | undefined {
  if (url.startsWith('#') || isOutside(url)) return undefined
  const { path: written, query, fragment } = splitAddress(url)
  const path = written.replace(/\.md\/$/, '.md')
  const folder = posix.dirname(source.original) === '.' ? '' : posix.dirname(source.original)
  const byFile = path.startsWith('/') ? undefined : joinPath(folder, path)
  const byUrl = path.startsWith('/') ? path : resolveUrl(source.oldUrl, path)
  const fromFile = () => (byFile === undefined ? undefined : context.addressOf(byFile, fragment))
  const fromUrl = () => (byUrl === undefined ? undefined : context.addressOfUrl(byUrl, fragment))
  const found = kind === 'html' ? (fromUrl() ?? fromFile()) : (fromFile() ?? fromUrl())
  if (found !== undefined) return found
  context.report.leave(`\`${url}\` leads to nothing in the old site.`, placeOf(url))
  return query === '' && byFile !== undefined && kind === 'image'
    ? `/${byFile}${fragment}`
    : undefined
}
