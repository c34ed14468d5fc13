/**
 * Parses text to the Markdown syntax tree. The parser stops at the first mistake, so mistakes are
 * repaired one by one: no mistake may make a page unreadable.
 */
import { type MdastNode, markdownToMdast, mdxToMdast } from 'satteri'
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import { isMath } from './is-math.ts'
import { type MdxProblem, offsetOfMessage, repairMdx } from './repair-mdx.ts'
import { SourceEdits } from './source-edits.ts'

export type Format = 'mdx' | 'md'

export type ParsedMarkdown = {
  readonly root: Extract<MdastNode, { type: 'root' }>
  /** The text that the tree was parsed from: the author's text with its mistakes repaired. */
  readonly text: string
  readonly toOriginal: (offset: number) => number
  readonly problems: readonly SyntaxProblem[]
}

type SyntaxProblem = MdxProblem & { readonly offset: number }

/** The number of repairs that are made regardless of the page's size. */
const REPAIRS_FREE = 10
/** The maximum number of times that the text is parsed again after `$` signs are escaped. */
const MATH_ROUNDS_MAX = 8

/** Parses text that passed `checkSource`. Never throws. */
export function parseMarkdown(original: string, format: Format): ParsedMarkdown {
  const edits = new SourceEdits()
  const problems: SyntaxProblem[] = []
  let text = original
  let mathRounds = 0
  let sizeLeft = CONTENT_LIMITS.repairSizeMax
  const toOriginal = (offset: number) => (edits.size === 0 ? offset : edits.toOriginal(offset))
  for (;;) {
    const parsed = tryParse(text, format, mathRounds < MATH_ROUNDS_MAX)
    sizeLeft -= text.length
    if (parsed.kind === 'parsed') {
      const prices =
        text.includes('$') && mathRounds < MATH_ROUNDS_MAX ? findPrices(parsed.root, text) : []
      if (prices.length === 0) return { root: parsed.root, text, toOriginal, problems }
      mathRounds += 1
      for (const offset of prices.map(toOriginal)) edits.replace(offset, 0, '\\')
    } else {
      const repair = repairMdx(text, parsed.reason)
      const isCostly = edits.size >= REPAIRS_FREE && sizeLeft < 0
      if (repair === undefined || edits.size >= CONTENT_LIMITS.repairsMax || isCostly) {
        const offset = toOriginal(offsetOfMessage(text, parsed.reason) ?? 0)
        return asPlainMarkdown(original, { reason: parsed.reason, offset })
      }
      const offset = toOriginal(repair.at)
      edits.replace(offset, toOriginal(repair.at + repair.remove) - offset, repair.insert)
      if (repair.problem !== undefined) problems.push({ offset, ...repair.problem })
    }
    text = edits.apply(original)
  }
}

type Attempt =
  | { readonly kind: 'parsed'; readonly root: ParsedMarkdown['root'] }
  | { readonly kind: 'stopped'; readonly reason: string }

function tryParse(text: string, format: Format, singleDollarTextMath: boolean): Attempt {
  const features = {
    frontmatter: false,
    math: text.includes('$') ? { singleDollarTextMath } : false,
    // In plain Markdown, this option would remove the `{id}` from `## GET /plants/{id}`.
    headingAttributes: format === 'mdx' && text.includes('{#'),
  }
  try {
    const root =
      format === 'mdx' ? mdxToMdast(text, { features }) : markdownToMdast(text, { features })
    if (root.type !== 'root') return { kind: 'stopped', reason: 'The page has no content.' }
    return { kind: 'parsed', root }
  } catch (error) {
    return { kind: 'stopped', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Returns the offsets of `$` signs that the parser took for formulas by mistake. */
function findPrices(root: MdastNode, text: string): readonly number[] {
  const found: number[] = []
  const stack: MdastNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'inlineMath' && node.position !== undefined) {
      const start = node.position.start.offset ?? 0
      const end = node.position.end.offset ?? start
      const isDouble = text.startsWith('$$', start)
      const around = {
        before: text.slice(Math.max(0, start - 1), start),
        content: text.slice(start + 1, end - 1),
        after: text.slice(end, end + 1),
      }
      if (!isDouble && !isMath(around)) found.push(start)
    }
    if ('children' in node) for (const child of node.children) stack.push(child)
  }
  return found
}

/** Parses unrepairable text as plain Markdown, which has no syntax errors. */
function asPlainMarkdown(
  original: string,
  { reason, offset }: { readonly reason: string; readonly offset: number },
): ParsedMarkdown {
  const parsed = tryParse(original, 'md', false)
  const root =
    parsed.kind === 'parsed'
      ? parsed.root
      : { type: 'root' as const, children: [{ type: 'code' as const, value: original }] }
  const message = reason.replace(/^\d+:\d+: /, '').replace(/ \([\w:-]+\)$/, '')
  return {
    root,
    text: original,
    toOriginal: (place) => place,
    problems: [
      {
        offset,
        code: 'content/syntax',
        message: `The page cannot be parsed as MDX, so it is shown as plain Markdown: ${message}.`,
        hint: 'Fix the syntax here, so that expressions and components work again.',
      },
    ],
  }
}
