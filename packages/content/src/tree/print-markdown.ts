/**
 * Prints a page tree as Markdown, for programs. It contains everything that a reader sees:
 * snippets, variables and expressions are replaced by their content, and components by the closest
 * Markdown equivalent.
 */
import { indentAll, indentRest, joinBlocks, prefixLines } from './markdown-blocks.ts'
import type { CodeNode, ComponentNode, Data, ElementNode, PageNode, Props } from './page-tree.ts'

/** Prints the page without its title. */
export function printMarkdown(nodes: readonly PageNode[]): string {
  return tidy(printBlocks(nodes))
}

const BLOCK_TAGS = new Set(
  'p div section article aside main header footer ul ol li blockquote pre table hr figure figcaption details summary dl dt dd h1 h2 h3 h4 h5 h6 nav form video audio iframe'.split(
    ' ',
  ),
)

const CALLOUTS: ReadonlyMap<string, string> = new Map(
  ['Note', 'Warning', 'Info', 'Tip', 'Check', 'Danger', 'Callout'].map((name) => [name, name]),
)

/** Prints nodes with empty lines between blocks. Adjacent inline nodes form a paragraph. */
function printBlocks(nodes: readonly PageNode[]): string {
  const blocks: string[] = []
  let inline = ''
  const flush = () => {
    if (inline.trim() !== '') blocks.push(inline.trim())
    inline = ''
  }
  for (const node of nodes) {
    if (isHidden(node)) continue
    if (isBlock(node)) {
      flush()
      blocks.push(printBlock(node))
    } else inline += printInline(node)
  }
  flush()
  return blocks.filter((block) => block !== '').join('\n\n')
}

/** Checks whether an element is hidden until a script shows it, such as a button. */
function isHidden(node: PageNode): boolean {
  if (typeof node === 'string' || node.kind !== 'element') return false
  return node.attributes?.hidden === true && partOf(node) === undefined
}

/** Returns the part of a specification that a script loads into an element. */
function partOf({ attributes }: ElementNode): string | undefined {
  const part = attributes?.['data-oct'] === 'deeper' ? attributes['data-ref'] : undefined
  return typeof part === 'string' ? part : undefined
}

function isBlock(node: PageNode): boolean {
  if (typeof node === 'string') return false
  switch (node.kind) {
    case 'element':
      return BLOCK_TAGS.has(node.tag) || node.children.some(isBlock)
    case 'heading':
    case 'code':
      return true
    case 'island':
      return node.code?.isInline !== true || node.children.some(isBlock)
    case 'math':
      return node.display
    case 'component':
      return !['Badge', 'Icon', 'Tooltip', 'Link'].includes(node.name)
  }
}

function printBlock(node: PageNode): string {
  if (typeof node === 'string') return node
  switch (node.kind) {
    case 'heading':
      return `${'#'.repeat(node.level)} ${printInlines(node.children)}`
    case 'code':
      return printCode(node)
    case 'math':
      return `$$\n${node.text}\n$$`
    case 'element':
      return printElement(node)
    case 'component':
      return printComponent(node)
    case 'island':
      return printBlocks(node.children)
  }
}

function printCode({ language, options, text }: CodeNode): string {
  // The fence must be longer than any fence in the text.
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const info = [language ?? '', options.title ?? ''].join(' ').trim()
  return `${fence}${info}\n${text.replace(/\n$/, '')}\n${fence}`
}

function printElement(node: ElementNode): string {
  const { tag, children } = node
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return `${'#'.repeat(Number(tag[1]))} ${printInlines(children)}`
    case 'p':
    case 'summary':
    case 'dt':
    case 'figcaption':
      return printBlocks(children)
    case 'ul':
      return printItems(children, () => '- ')
    case 'ol': {
      const start = Number(node.attributes?.start ?? 1) || 1
      return printItems(children, (index) => `${start + index}. `)
    }
    case 'details': {
      const part = partOf(node)
      const content = printBlocks(children)
      return part === undefined ? content : `${content}: \`${part}\` of the specification`
    }
    case 'blockquote':
      return prefixLines(printBlocks(children), '> ')
    case 'style':
      return ''
    case 'hr':
      return '---'
    case 'pre':
      return printCode({ kind: 'code', language: undefined, options: {}, text: rawText(children) })
    case 'table':
      return printTable(node)
    case 'video':
    case 'audio':
    case 'iframe':
      return typeof node.attributes?.src === 'string'
        ? `[${node.attributes.title === true ? tag : (node.attributes.title ?? tag)}](${node.attributes.src})`
        : printBlocks(children)
    default:
      return printBlocks(children)
  }
}

function printItems(children: readonly PageNode[], mark: (index: number) => string): string {
  const items = children.filter(
    (child) => typeof child !== 'string' && child.kind === 'element' && child.tag === 'li',
  ) as readonly ElementNode[]
  return items
    .map((item, index) => {
      const marker = mark(index)
      return `${marker}${indentRest(printBlocks(item.children), ' '.repeat(marker.length))}`
    })
    .join('\n')
}

function printTable(table: ElementNode): string {
  const rows = collect(table, 'tr').map((row) =>
    row.children.flatMap((cell) =>
      typeof cell !== 'string' && cell.kind === 'element' && /^t[hd]$/.test(cell.tag)
        ? [printInlines(cell.children).replaceAll('|', '\\|').replaceAll('\n', ' ').trim()]
        : [],
    ),
  )
  const [head, ...body] = rows
  if (head === undefined) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

function collect(node: ElementNode, tag: string): readonly ElementNode[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string' || child.kind !== 'element') return []
    return child.tag === tag ? [child] : collect(child, tag)
  })
}

function printComponent(node: ComponentNode): string {
  const { name, props } = node
  const title = textOf(props, 'title', 'label', 'name', 'tip')
  const content = printBlocks(node.children)
  const callout = CALLOUTS.get(name)
  if (callout !== undefined) {
    const label = title === undefined ? callout : `${callout}: ${title}`
    return prefixLines(`**${label}**\n\n${content}`, '> ')
  }
  switch (name) {
    case 'Card':
    case 'Tile':
    case 'Stat':
      return printItem(node, title, content)
    case 'Steps':
      return printSteps(node.children)
    case 'ParamField':
    case 'ResponseField':
    case 'Param':
    case 'Parameter':
      return printField(props, content, node)
    case 'Update':
      return joinBlocks([
        `## ${title ?? ''}`,
        textOf(props, 'description') ?? '',
        printSlots(node),
        content,
      ])
    case 'Image': {
      const src = textOf(props, 'src')
      return src === undefined ? content : `![${textOf(props, 'alt') ?? ''}](${src})`
    }
    case 'Hero':
    case 'Preview':
      return joinBlocks([
        `**${title ?? ''}**`,
        textOf(props, 'text') ?? '',
        printSlots(node),
        content,
      ])
    case 'Hero.Action':
      return `- [${content}](${textOf(props, 'href') ?? ''})`
    case 'Frame':
      return joinBlocks([
        textOf(props, 'hint') ?? '',
        content,
        printSlots(node),
        textOf(props, 'caption') ?? '',
      ])
    case 'Mermaid':
      return content === '' && typeof props.chart === 'string'
        ? printCode({ kind: 'code', language: 'mermaid', options: {}, text: props.chart })
        : content
    // Content for human readers only is omitted.
    case 'Visibility':
      return textOf(props, 'for') === 'humans' ? '' : content
    case 'Prompt':
      return joinBlocks([textOf(props, 'description') ?? '', printSlots(node), content])
    default:
      return joinBlocks([title === undefined ? '' : `**${title}**`, printSlots(node), content])
  }
}

/** Prints a card as a list item, or a figure with what it counts. */
function printItem(
  { name, props }: ComponentNode,
  title: string | undefined,
  text: string,
): string {
  const href = textOf(props, 'href')
  const link = href === undefined ? undefined : `[${title ?? href}](${href})`
  if (name === 'Stat') {
    const value = [textOf(props, 'value') ?? '', textOf(props, 'unit') ?? ''].join(' ').trim()
    return `- **${value}** ${link ?? title ?? ''} ${text}`.trimEnd()
  }
  const content = joinBlocks([textOf(props, 'description') ?? '', text])
  const head = link ?? `**${title ?? ''}**`
  return content === '' ? `- ${head}` : `- ${head}: ${indentRest(content, '  ')}`
}

function printSteps(children: readonly PageNode[]): string {
  let count = 0
  return children
    .map((child) => {
      if (typeof child === 'string' || child.kind !== 'component') return printBlocks([child])
      count += 1
      const title = textOf(child.props, 'title') ?? ''
      const body = joinBlocks([`**${title}**`, printBlocks(child.children)])
      return `${count}. ${indentRest(body, '   ')}`
    })
    .filter((block) => block !== '')
    .join('\n\n')
}

/**
 * Props that name the location of a field in the request. The value of the prop is the field's
 * name.
 */
const PLACES = ['path', 'query', 'body', 'header', 'cookie'] as const

/** Prints an API field: its name, its properties, and its nested fields. */
function printField(props: Props, content: string, node: ComponentNode): string {
  const place = PLACES.find((one) => textOf(props, one) !== undefined)
  const name = textOf(props, 'name', ...PLACES, 'id', 'title') ?? node.name
  const facts = [
    ...textsIn(props.pre),
    place === 'body' ? undefined : place,
    textOf(props, 'type'),
    props.required === true ? 'required' : undefined,
    props.deprecated === true ? 'deprecated' : undefined,
    props.nullable === true ? 'nullable' : undefined,
    ...textsIn(props.post),
    props.default === undefined ? undefined : `default ${printData(props.default)}`,
    props.placeholder === undefined ? undefined : `example ${printData(props.placeholder)}`,
  ].filter((fact) => fact !== undefined)
  const head = `- \`${name}\`${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
  return content === '' ? head : `${head}\n${indentAll(content, '  ')}`
}

function printSlots(node: ComponentNode): string {
  return joinBlocks(Object.values(node.slots ?? {}).map(printBlocks))
}

function printInlines(nodes: readonly PageNode[]): string {
  return nodes.map((node) => (isHidden(node) ? '' : printInline(node))).join('')
}

function printInline(node: PageNode): string {
  if (typeof node === 'string') return node
  switch (node.kind) {
    case 'math':
      return `$${node.text}$`
    case 'code':
    case 'heading':
      return printBlock(node)
    case 'island':
      return isBlock(node) ? printBlock(node) : printInlines(node.children)
    case 'component':
      return printInlineComponent(node)
    case 'element':
      return printInlineElement(node)
  }
}

function printInlineComponent(node: ComponentNode): string {
  const content = printInlines(node.children)
  if (node.name === 'Icon') return ''
  if (node.name === 'Tooltip') {
    const tip = textOf(node.props, 'tip')
    return tip === undefined ? content : `${content} (${tip})`
  }
  if (node.name === 'Link') return `[${content}](${textOf(node.props, 'href') ?? ''})`
  return content === '' ? printBlock(node) : content
}

function printInlineElement({ tag, attributes, children }: ElementNode): string {
  if (tag === 'style') return ''
  const content = printInlines(children)
  switch (tag) {
    case 'strong':
    case 'b':
      return content.trim() === '' ? content : `**${content}**`
    case 'em':
    case 'i':
      return content.trim() === '' ? content : `*${content}*`
    case 'del':
    case 's':
      return `~~${content}~~`
    case 'code':
      return content.includes('`') ? `\`\` ${content} \`\`` : `\`${content}\``
    case 'br':
      return '\n'
    case 'a':
      return typeof attributes?.href === 'string' ? `[${content}](${attributes.href})` : content
    case 'img': {
      const alt = typeof attributes?.alt === 'string' ? attributes.alt : ''
      return typeof attributes?.src === 'string' ? `![${alt}](${attributes.src})` : alt
    }
    case 'input':
      return attributes?.checked === undefined ? '[ ] ' : '[x] '
    default:
      return content
  }
}

function rawText(nodes: readonly PageNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      return 'text' in node ? node.text : rawText(node.children)
    })
    .join('')
}

function textOf(props: Props, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = props[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** Returns the strings of a list, such as the labels before a field's name. */
function textsIn(value: Data | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function printData(value: Data): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Removes empty lines at both ends. */
function tidy(text: string): string {
  return `${text.trim()}\n`
}
