/** Turns grids of Material for MkDocs into cards and columns. */

const GRID = /^([ \t]*)<div class="grid( cards)?"( markdown(?:="[^"]*")?)?>[ \t]*$/

export function convertGrids(text: string, convert: (what: string) => void): string {
  if (!text.includes('class="grid')) return text
  const lines = text.split('\n')
  const result: string[] = []
  let fence = ''
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const sign = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (sign !== undefined && fence === '') fence = sign
    else if (sign?.startsWith(fence) === true && line.trim() === sign) fence = ''
    const [opening, indent = '', cards] = (fence === '' ? GRID.exec(line) : null) ?? []
    const end = opening === undefined ? -1 : findEnd(lines, at)
    if (end < 0) {
      result.push(line)
      continue
    }
    const inside = lines
      .slice(at + 1, end)
      .map((one) => one.slice(Math.min(indent.length, one.search(/\S|$/))))
    const written = cards === undefined ? columns(inside) : cardGroup(inside)
    if (written === undefined) result.push(line)
    else {
      convert('grid')
      result.push(...written.map((one) => (one === '' ? '' : indent + one)))
      at = end
    }
  }
  return result.join('\n')
}

/** Returns the line of the `</div>` that closes the one at a line. */
function findEnd(lines: readonly string[], start: number): number {
  let depth = 0
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    depth += [...line.matchAll(/<div\b/g)].length - [...line.matchAll(/<\/div>/g)].length
    if (depth === 0) return at
  }
  return -1
}

/** Returns the items of a list, without its markers and indentation. */
function listItems(lines: readonly string[]): readonly (readonly string[])[] | undefined {
  const items: string[][] = []
  for (const line of lines) {
    const marker = /^[-*+][ \t]+/.exec(line)?.[0]
    if (marker !== undefined) items.push([line.slice(marker.length)])
    else if (line.trim() === '') items.at(-1)?.push('')
    else if (items.length === 0 || !/^\s/.test(line)) return undefined
    else items.at(-1)?.push(line.replace(/^ {1,4}|^\t/, ''))
  }
  return items.length === 0 ? undefined : items
}

function cardGroup(lines: readonly string[]): readonly string[] | undefined {
  const items = listItems(lines)
  if (items === undefined) return undefined
  const cards = items.flatMap((item) => ['', ...card(item)])
  return ['', '<CardGroup cols={2}>', ...cards, '', '</CardGroup>', '']
}

const TITLE = /^(:[\w/-]+:)?(?:\{[^{}]*\})?[ \t]*(?:\*\*|__)(.+?)(?:\*\*|__)[ \t]*(.*)$/
/** Matches a paragraph that is one link, such as `[:octicons-arrow-right-24: Start](start.md)`. */
const LINK = /^\[(?::[\w/-]+:[ \t]*)?([^\]]+)\]\(([^\s()]+)\)$/

function card(item: readonly string[]): readonly string[] {
  const [first = '', ...rest] = item
  const [titled, icon, title = '', after = ''] = TITLE.exec(first) ?? []
  if (titled === undefined) return ['<Card>', '', ...item, '', '</Card>']
  const body = [after, ...rest.filter((line) => !/^(?:-{3,}|\*{3,})$/.test(line.trim()))]
  const linked = /^\[(.+)\]\(([^\s()]+)\)$/.exec(title)
  const last = body.findLastIndex((line) => line.trim() !== '')
  const link = LINK.exec((body[last] ?? '').trim())
  const href = linked?.[2] ?? link?.[2]
  const shown = linked?.[1] ?? title
  const attributes = [
    `title="${shown.replaceAll(/[`*]/g, '').replaceAll('"', '&quot;')}"`,
    icon === undefined ? '' : `icon="${icon}"`,
    href === undefined ? '' : `href="${href}"`,
    linked === null && link !== null ? `cta="${(link[1] ?? '').replaceAll('"', '&quot;')}"` : '',
  ]
  const text = (linked === null && link !== null ? body.slice(0, last) : body).join('\n').trim()
  return [
    `<Card ${attributes.filter((one) => one !== '').join(' ')}>`,
    '',
    ...text.split('\n'),
    '',
    '</Card>',
  ]
}

function columns(lines: readonly string[]): readonly string[] | undefined {
  const blocks = lines
    .join('\n')
    .trim()
    .split(/\n{2,}(?=\S)/)
  if (blocks.length < 2 || blocks.length > 4) return undefined
  const cells = blocks.flatMap((block) => [
    '',
    '<Column>',
    '',
    ...block.split('\n'),
    '',
    '</Column>',
  ])
  return ['', `<Columns cols={${blocks.length}}>`, ...cells, '', '</Columns>', '']
}
