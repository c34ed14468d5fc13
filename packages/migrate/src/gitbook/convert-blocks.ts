/** Converts the tags of GitBook that have no exact equivalent, or that name other files. */
import { posix } from 'node:path'
import { mapProse } from '../page/map-prose.ts'
import { splitAddress } from '../site/addresses.ts'
import { shorten } from '../site/report.ts'
import type { PartContext } from './convert-page.ts'
import { isSpecification, type PageOperations } from './page-operations.ts'
import { writeEmbed } from './write-embed.ts'

type Tag = {
  readonly indent: string
  readonly written: string
  readonly options: ReadonlyMap<string, string>
  /** The text between the tag and its end. */
  readonly inner: string
}

const OPTION = /([\w-]+)=(?:"([^"\n]*)"|'([^'\n]*)')/g
/** Matches one tag on a line, with the text up to its end if it has one. */
const block = (names: string) =>
  new RegExp(
    `^([ \\t]*)\\{%[ \\t]*(?:${names})\\b([^\\n]*?)%\\}[ \\t]*(?:\\n((?:(?!^[ \\t]*\\{%)[^\\n]*\\n){0,200}?)[ \\t]*\\{%[ \\t]*end(?:${names})[ \\t]*%\\}[ \\t]*$|$)`,
    'gm',
  )

export function convertBlocks(
  prose: string,
  context: PartContext,
  operations: PageOperations,
): string {
  if (!prose.includes('{%')) return prose
  const convert = (names: string, write: (tag: Tag) => string) => (text: string) =>
    text.replaceAll(
      block(names),
      (written: string, indent: string, rest: string, inner: string | undefined) =>
        write({ indent, written, options: readOptions(rest), inner: (inner ?? '').trim() })
          .split('\n')
          .map((line) => (line === '' ? '' : indent + line))
          .join('\n'),
    )
  const steps = [
    convert('content-ref|page-ref', (tag) => writeReference(tag, context)),
    convert('embed', (tag) => writeEmbed(tag, context)),
    convert('file', (tag) => writeFile(tag, context)),
    convert('openapi-operation|openapi-schemas|openapi|swagger', (tag) =>
      writeOperation(tag, context, operations),
    ),
    convert('@[\\w./-]+', (tag) => writeIntegration(tag, context)),
    (text: string) => convertUpdates(text, context),
    convert('comment', ({ written }) => {
      context.report.approximate('The comment is not part of the page.', context.placeOf(written))
      return ''
    }),
  ]
  return steps.reduce((text, step) => step(text), prose)
}

function readOptions(rest: string): ReadonlyMap<string, string> {
  return new Map(
    [...rest.matchAll(OPTION)].map(([, key = '', double, single]) => [key, double ?? single ?? '']),
  )
}

export function attribute(value: string): string {
  return `"${value.replaceAll('"', '&quot;').replaceAll('{', '&#123;')}"`
}

function writeReference({ options, inner }: Tag, context: PartContext): string {
  const { report, address, addresses, source, titleOf } = context
  const url = options.get('url') ?? ''
  const page = addresses.page(source.file, splitAddress(url).path)
  const label = /\[([^\]]*)\]/.exec(inner)?.[1]
  const title = page === undefined ? (label ?? url) : titleOf(page)
  report.convert('link to a page')
  return `<Card title=${attribute(title)} href=${attribute(address(url))} horizontal />`
}

function writeFile({ options, inner }: Tag, { report, address }: PartContext): string {
  const src = options.get('src') ?? ''
  const name = posix.basename(splitAddress(src).path) || src
  report.convert('file to download')
  const link = `[${name.replaceAll(/[[\]]/g, '\\$&')}](${escapeUrl(address(src))})`
  return inner === '' ? link : `${link}\n\n${inner}`
}

/** Writes an operation as the operation of the page, or as a page of its own below it. */
function writeOperation(tag: Tag, context: PartContext, operations: PageOperations): string {
  const { report, placeOf, address } = context
  const { options, written } = tag
  const method = (options.get('method') ?? '').toUpperCase()
  const path = options.get('path') ?? ''
  const src = options.get('src')
  if (path === '' && src === undefined) return written
  const file = src === undefined ? undefined : decodeURI(address(src))
  if (file !== undefined && method !== '' && isSpecification(src ?? '', context)) {
    const href = operations.add(`${file} ${method} ${path}`)
    if (href !== undefined) {
      report.convert('API operation')
      return href === ''
        ? ''
        : `<Card title=${attribute(`${method} ${path}`)} href="${href}" horizontal />`
    }
  }
  const name = shorten(`${method} ${path}`)
  report.leave(
    `The operation \`${name}\` is shown as text. Make a page with \`openapi: "${file ?? 'file.json'} ${name}"\`.`,
    placeOf(written),
  )
  const shown = `**\`${method} ${path}\`**`
  return src === undefined ? shown : `${shown} ([specification](${escapeUrl(address(src))}))`
}

function writeIntegration({ options, written }: Tag, { report, placeOf }: PartContext): string {
  const url = options.get('url')
  report.leave(
    `The integration ${shorten(written)} runs in GitBook only${url === undefined ? '.' : '; it is a link now.'}`,
    placeOf(written),
  )
  return url === undefined ? '' : `[${url}](${escapeUrl(url)})`
}

function convertUpdates(text: string, { report }: PartContext): string {
  return text
    .replaceAll(/^[ \t]*\{%[ \t]*(?:end)?updates\b[^\n]*%\}[ \t]*\n?/gm, '')
    .replaceAll(/^[ \t]*\{%[ \t]*update\b([^\n]*?)%\}[ \t]*$/gm, (_, rest: string) => {
      const options = readOptions(rest)
      const tags = (options.get('tags') ?? '').split(',').filter((tag) => tag.trim() !== '')
      const list = tags.map((tag) => JSON.stringify(tag.trim())).join(', ')
      report.convert('update')
      return `<Update label=${attribute(options.get('date') ?? 'Update')}${list === '' ? '' : ` tags={[${list}]}`}>`
    })
    .replaceAll(/^[ \t]*\{%[ \t]*endupdate[ \t]*%\}[ \t]*$/gm, '</Update>')
}

function escapeUrl(url: string): string {
  return url.replaceAll(/[\s()<>]/g, (sign) =>
    sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign),
  )
}

const STEPS =
  /^[ \t]*\{%[ \t]*stepper[ \t]*%\}|^([ \t]*)\{%[ \t]*step[ \t]*%\}[ \t]*\n\s*([^\n]*)/gm

/** Adds a heading to steps, which becomes the title of the step. */
export function titleSteps(text: string): string {
  return mapProse(text, (prose) => {
    let number = 0
    return prose.replaceAll(
      STEPS,
      (written, indent: string | undefined, first: string | undefined) => {
        if (first === undefined) {
          number = 0
          return written
        }
        number += 1
        const open = `${indent ?? ''}{% step %}\n${indent ?? ''}`
        if (/^#{1,6}[ \t]/.test(first)) return open + first
        const bold = /^\*\*([^*[\]<]{1,100})\*\*:?$/.exec(first.trim())?.[1]
        if (bold !== undefined) return `${open}### ${bold}`
        return `${open}### Step ${number}\n\n${indent ?? ''}${first}`
      },
    )
  })
}
