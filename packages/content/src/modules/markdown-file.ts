import { findBodyStart, SourceText } from '@octavo/model'
import type { Program } from 'estree-jsx'
import type { MdastNode } from 'satteri'
import { findForeign } from '../foreign/find-foreign.ts'
import type { ForeignSyntax } from '../foreign/foreign-syntax.ts'
import { parseModule } from '../interpreter/parse-code.ts'
import type { SourceProblem } from '../markdown/check-nesting.ts'
import { checkSource } from '../markdown/check-source.ts'
import { type Format, type ParsedMarkdown, parseMarkdown } from '../markdown/parse-markdown.ts'
import type { Spot } from '../page-state.ts'

/** A page or a snippet, parsed once and rendered each time it is used. */
export type MarkdownFile = {
  readonly source: SourceText
  readonly format: Format
  readonly bodyStart: number
  readonly parsed: ParsedMarkdown
  /** Imports and exports, with their offsets in the parsed text. */
  readonly statements: readonly { readonly syntax: Program; readonly start: number }[]
  /** Syntax of other tools, with offsets relative to the body. */
  readonly foreign: readonly ForeignSyntax[]
  /** The limit that the file exceeds, which is why it was not parsed; otherwise undefined. */
  readonly refused: SourceProblem | undefined
}

const EMPTY_ROOT: ParsedMarkdown['root'] = { type: 'root', children: [] }

/** Parses the body of a file; the model parses its frontmatter. */
export function parseMarkdownFile(file: string, text: string): MarkdownFile {
  const source = new SourceText(file, text)
  const format = file.endsWith('.md') ? 'md' : 'mdx'
  const afterFrontmatter = findBodyStart(text)
  const bodyStart = afterFrontmatter === 0 && text.startsWith('\ufeff') ? 1 : afterFrontmatter
  const body = text.slice(bodyStart)
  const refused = checkSource(text, format)
  if (refused !== undefined) {
    const parsed = {
      root: EMPTY_ROOT,
      text: body,
      toOriginal: (offset: number) => offset,
      problems: [],
    }
    return { source, format, bodyStart, parsed, statements: [], foreign: [], refused }
  }
  const markdown = parseMarkdown(body, format)
  const foreign = findForeign(body, markdown, format)
  const { parsed, statements } = readStatements(markdown)
  return { source, format, bodyStart, parsed, statements, foreign, refused }
}

/** Extracts imports and exports from a tree. Text that only resembles one becomes a paragraph. */
function readStatements(parsed: ParsedMarkdown): Pick<MarkdownFile, 'parsed' | 'statements'> {
  if (!parsed.root.children.some(holdsStatement)) return { parsed, statements: [] }
  const statements: { syntax: Program; start: number }[] = []
  const problems = [...parsed.problems]
  const children: typeof parsed.root.children = []
  for (const node of parsed.root.children) {
    if (node.type !== 'mdxjsEsm') {
      children.push(node)
      // Statements inside a component are read too, and are not shown.
      for (const inner of statementsIn(node)) read(inner)
    } else if (!read(node)) {
      children.push({ type: 'paragraph', children: [{ type: 'text', value: node.value }] })
    }
  }
  return { parsed: { ...parsed, root: { type: 'root', children }, problems }, statements }

  function read(node: StatementNode): boolean {
    const start = node.position?.start.offset ?? 0
    const code = parseModule(node.value)
    if (code.kind === 'parsed') {
      statements.push({ syntax: code.syntax, start })
      return true
    }
    problems.push({
      code: 'content/syntax',
      offset: parsed.toOriginal(start),
      message: `This line starts like an import or export but is not valid: ${code.message}.`,
      hint: 'Fix the statement, or start the paragraph with a different word.',
    })
    return false
  }
}

type StatementNode = Extract<MdastNode, { type: 'mdxjsEsm' }>

function holdsStatement(node: MdastNode): boolean {
  return node.type === 'mdxjsEsm' || !statementsIn(node).next().done
}

function* statementsIn(node: MdastNode): Generator<StatementNode> {
  if (node.type !== 'mdxJsxFlowElement') return
  // The parser's types omit these children.
  for (const child of node.children as readonly MdastNode[]) {
    if (child.type === 'mdxjsEsm') yield child
    else yield* statementsIn(child)
  }
}

/** Returns where a node starts in its file. */
export function spotOf(file: MarkdownFile, node: MdastNode): Spot {
  return { source: file.source, offset: offsetOf(file, node.position?.start.offset ?? 0) }
}

/** Maps an offset in the parsed text to the file. */
export function offsetOf(file: MarkdownFile, offset: number): number {
  return file.bodyStart + file.parsed.toOriginal(offset)
}

/** The link definitions `[a]: /b` and the footnotes of a file, at any depth. */
export type Definitions = {
  readonly links: ReadonlyMap<string, Extract<MdastNode, { type: 'definition' }>>
  readonly footnotes: ReadonlyMap<string, Extract<MdastNode, { type: 'footnoteDefinition' }>>
}

export function findDefinitions(root: MdastNode): Definitions {
  const links = new Map<string, Extract<MdastNode, { type: 'definition' }>>()
  const footnotes = new Map<string, Extract<MdastNode, { type: 'footnoteDefinition' }>>()
  const queue: MdastNode[] = [root]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    // The first definition of a name applies, so children are pushed onto the stack in reverse
    // order.
    if (node.type === 'definition' && !links.has(node.identifier)) links.set(node.identifier, node)
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) {
      footnotes.set(node.identifier, node)
    }
    if ('children' in node) {
      for (let index = node.children.length - 1; index >= 0; index -= 1) {
        const child = node.children[index]
        if (child !== undefined) queue.push(child)
      }
    }
  }
  return { links, footnotes }
}
