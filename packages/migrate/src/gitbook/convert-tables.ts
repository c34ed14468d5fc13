/** Converts tables that GitBook shows as cards, and removes columns that it hides. */
import { attribute } from './convert-blocks.ts'
import type { PartContext } from './convert-page.ts'

const TABLE = /<table\b([^<>]*)>([\s\S]*?)<\/table>/g
const ROW = /<tr\b[^<>]*>([\s\S]*?)<\/tr>/g
const CELL = /<(t[hd])\b([^<>]*)>([\s\S]*?)<\/\1>/g

type Cell = { readonly written: string; readonly attributes: string; readonly inner: string }

export function convertTables(prose: string, context: PartContext): string {
  if (!prose.includes('<table')) return prose
  return prose.replaceAll(TABLE, (table, attributes: string) => {
    const written = onOneLine(table)
    const inner = written.slice(written.indexOf('>') + 1)
    const [head, ...rows] = [...inner.matchAll(ROW)].map(([, row = '']) => cellsOf(row))
    if (head === undefined) return written
    if (/data-view="cards"/.test(attributes)) return writeCards(head, rows, context)
    return withoutHidden(written, head, context)
  })
}

/** Keeps Markdown from reading the lines of a cell as paragraphs or code of their own. */
function onOneLine(table: string): string {
  return table
    .replaceAll(/<pre\b[^<>]*>[\s\S]*?<\/pre>/g, (code) => code.trim().replaceAll('\n', '&#10;'))
    .replaceAll(/(?<=\S)[ \t]*\n[ \t]*(?=<\/(?:td|th|p|li)>)/g, '')
    .replaceAll(/(<(?:td|th|p|li)\b[^<>]*>)[ \t]*\n[ \t]*(?=\S)/g, '$1')
}

function cellsOf(row: string): readonly Cell[] {
  return [...row.matchAll(CELL)].map(([written, , attributes = '', inner = '']) => ({
    written,
    attributes,
    inner: inner.trim(),
  }))
}

function writeCards(
  head: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  { report, address }: PartContext,
): string {
  const cards = rows.map((row) => {
    const cell = (pattern: RegExp) =>
      row[head.findIndex(({ attributes }) => pattern.test(attributes))]
    const url = hrefOf(cell(/data-card-target|data-type="content-ref"/)?.inner)
    const cover = hrefOf(cell(/data-card-cover/)?.inner)
    const texts = row
      .filter((_, index) => !/data-hidden/.test(head[index]?.attributes ?? ''))
      .map(({ inner }) => inner)
      .filter((inner) => inner !== '')
    const [title = '', ...body] = texts
    const props = [
      `title=${attribute(plainText(title))}`,
      url === undefined ? '' : `href=${attribute(address(url))}`,
      cover === undefined ? '' : `img=${attribute(address(cover))}`,
    ].filter((one) => one !== '')
    const lines = body.filter((one) => hrefOf(one) !== url || url === undefined)
    report.convert('card')
    return lines.length === 0
      ? `<Card ${props.join(' ')} />`
      : `<Card ${props.join(' ')}>\n\n${lines.join('\n\n')}\n\n</Card>`
  })
  return `\n<CardGroup cols={2}>\n\n${cards.join('\n\n')}\n\n</CardGroup>\n`
}

function hrefOf(html: string | undefined): string | undefined {
  return html === undefined
    ? undefined
    : /<(?:a|img)\b[^<>]*\b(?:href|src)="([^"]*)"/.exec(html)?.[1]
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function withoutHidden(
  table: string,
  head: readonly Cell[],
  { report, placeOf }: PartContext,
): string {
  const isHidden = head.map(({ attributes }) => /\bdata-hidden\b/.test(attributes))
  if (!isHidden.includes(true)) return table
  report.approximate('GitBook hides a column of this table, which was removed.', placeOf(table))
  return table.replaceAll(ROW, (row) => {
    let index = -1
    return row.replaceAll(CELL, (cell) => {
      index += 1
      return isHidden[index] === true ? '' : cell
    })
  })
}
