/** Converts the HTML that GitBook writes into pages, and its special links. */
import { replaceOutsideCode } from '../page/map-prose.ts'
import { splitAddress } from '../site/addresses.ts'
import { shorten } from '../site/report.ts'
import { attribute } from './convert-blocks.ts'
import type { PartContext } from './convert-page.ts'
import { convertTables } from './convert-tables.ts'

export function convertMarkup(prose: string, context: PartContext): string {
  const steps = [
    convertCode,
    convertHeadings,
    convertFigures,
    convertTables,
    convertDetails,
    convertCustom,
    convertLinks,
    convertVariables,
  ]
  return steps.reduce((text, step) => step(text, context), prose)
}

/** Removes the anchors of headings; the conversion to MDX adds those that differ from ours. */
function convertHeadings(prose: string, { report }: PartContext): string {
  return prose.replaceAll(
    /^(#{1,6}[ \t][^\n]*?)[ \t]*(?:<a\b[^<>\n]*\bid="[^"\n]+"[^<>\n]*>[ \t]*<\/a>|\{#[^\s{}]+\})[ \t]*$/gm,
    (_, heading: string) => {
      report.convert('anchor of a heading')
      return heading
    },
  )
}

const PRE = /^([ \t]*)<pre(?:[ \t]+[^<>\n]*)?><code\b([^<>\n]*)>([\s\S]*?)<\/code><\/pre>[ \t]*$/gm

/** GitBook writes code with bold parts as HTML. */
function convertCode(prose: string, { report }: PartContext): string {
  return prose.replaceAll(PRE, (_, indent: string, attributes: string, inner: string) => {
    report.convert('code block in HTML')
    const language = /\blang(?:uage)?-([\w+#-]+)/.exec(attributes)?.[1] ?? 'text'
    const code = plainCode(inner).replace(/^\n+|\s+$/g, '')
    const fence = '`'.repeat(
      Math.max(3, ...[...code.matchAll(/`{3,}/g)].map(([one]) => one.length + 1)),
    )
    return [`${fence}${language}`, ...code.split('\n'), fence]
      .map((line) => indent + line)
      .join('\n')
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function plainCode(html: string): string {
  return html
    .replaceAll(/<\/?(?:strong|em|b|i|span|mark|a)\b[^<>]*>/g, '')
    .replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (written, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? written
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : written
    })
}

const FIGURE =
  /<figure>\s*((?:<(?:img|picture|source)\b[^<>]*>|<\/picture>|\s)+)<figcaption>([\s\S]*?)<\/figcaption>\s*<\/figure>/g

function convertFigures(prose: string, { report }: PartContext): string {
  return prose.replaceAll(FIGURE, (_, image: string, inner: string) => {
    report.convert('figure')
    const caption = toMarkdown(inner)
    if (caption === '') return image.trim()
    return `<Frame caption=${attribute(caption)}>${image.trim()}</Frame>`
  })
}

/** Returns simple HTML as Markdown on one line. */
function toMarkdown(html: string): string {
  return html
    .replaceAll(/<a\b[^<>]*\bhref="([^"]*)"[^<>]*>([\s\S]*?)<\/a>/g, '[$2]($1)')
    .replaceAll(/<\/?(?:strong|b)>/g, '**')
    .replaceAll(/<\/?(?:em|i)>/g, '*')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
    .replaceAll(/&#x20;|\s+/g, ' ')
    .trim()
}

function convertDetails(prose: string, { report }: PartContext): string {
  return prose
    .replaceAll(
      /^([ \t]*)<details( open)?>\s*<summary>([^\n]*?)<\/summary>[ \t]*$/gm,
      (_, indent: string, isOpen: string | undefined, summary: string) => {
        report.convert('foldable block')
        const title = toMarkdown(summary).replaceAll(/[`*]/g, '')
        return `${indent}<Accordion title=${attribute(title)}${isOpen === undefined ? '' : ' defaultOpen'}>\n`
      },
    )
    .replaceAll(/^([ \t]*)<\/details>[ \t]*$/gm, '\n$1</Accordion>')
}

/** Converts blocks that GitBook exported as HTML. */
function convertCustom(prose: string, { report, placeOf }: PartContext): string {
  return (
    prose
      .replaceAll(/<span data-gb-custom-inline[^<>]*data-tag="emoji"[^<>]*>([^<>]*)<\/span>/g, '$1')
      .replaceAll(
        /^[ \t]*<div data-gb-custom-block[^<>]*data-tag="([\w-]+)"[^<>]*>([^\n]*)<\/div>[ \t]*$/gm,
        (written, tag: string, inner: string) => {
          const style = /data-style="(\w+)"/.exec(written)?.[1] ?? 'info'
          if (tag === 'hint')
            return `{% hint style="${style}" %}\n${toMarkdown(inner)}\n{% endhint %}`
          report.approximate(`The block \`${tag}\` is plain text now.`, placeOf(written))
          return toMarkdown(inner)
        },
      )
      .replaceAll(/&#x20;[ \t]*$/gm, '')
      .replaceAll('&#x20;', ' ')
      // Octavo would read two amounts of money as a formula, which GitBook writes with `$$`.
      .replaceAll(/(?<=^|[\s(])\$(?=\d)/gm, '\\$')
  )
}

const BROKEN =
  /\[((?:[^[\]\n]|\\[[\]])*)\]\((?:\.{0,2}\/)*broken-reference\/?(?:[ \t]+"[^"\n]*")?\)/g
const MENTION = /\[((?:[^[\]\n]|\\[[\]])*)\]\(<?([^()<>"\n]*?)>?[ \t]+"mention"\)/g

function convertLinks(prose: string, context: PartContext): string {
  const { report, placeOf, source, addresses, titleOf } = context
  const plain = replaceOutsideCode(prose, BROKEN, (written, text = '') => {
    report.approximate(
      `The link ${shorten(written)} led to nothing and is text now.`,
      placeOf(written),
    )
    return text
  })
  return replaceOutsideCode(plain, MENTION, (_, text = '', url = '') => {
    const { path, fragment } = splitAddress(url)
    const page = addresses.page(source.file, path)
    const heading = page?.anchors.find(({ id }) => `#${id}` === fragment)?.text
    const isName = /\.md$|^#/.test(text)
    const shown = page !== undefined && isName ? (heading ?? titleOf(page)) : text
    return `[${isName ? shown.replaceAll(/[[\]{}<]/g, '\\$&') : text}](<${url}>)`
  })
}

const VARIABLE = /<code class="expression">[ \t]*(space|page)\.vars\.([\w.-]+)[ \t]*<\/code>/g

function convertVariables(
  prose: string,
  { report, source, variables, placeOf }: PartContext,
): string {
  return prose.replaceAll(VARIABLE, (written, scope: string, name: string) => {
    const own = scope === 'page' ? source.variables[name] : undefined
    if (own !== undefined) return String(own)
    if (scope === 'space' && Object.hasOwn(variables, name)) {
      report.convert('variable')
      return `{{${name}}}`
    }
    report.leave(`The value of \`${name}\` is not in the folder.`, placeOf(written))
    return `\`${name}\``
  })
}
