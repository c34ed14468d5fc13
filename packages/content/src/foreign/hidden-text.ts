/** Finds the parts of a page that are not text: code, comments, expressions, tags, formulas. */
import type { MdastNode } from 'satteri'
import type { ParsedMarkdown } from '../markdown/parse-markdown.ts'
import { readParts } from './attribute-lists.ts'
import type { Range } from './foreign-syntax.ts'

export type Hidden = {
  /** Returns true if the character at an offset of the body is not text. */
  readonly isHidden: (offset: number) => boolean
  /**
   * Returns the end of the fenced code at an offset, or undefined. The function itself is undefined
   * for indented text, where the parser sees no fences.
   */
  readonly codeEnd: ((offset: number) => number | undefined) | undefined
  /**
   * Like `Hidden`, but for the indented text of a foreign block. Indented code is not hidden there,
   * because plain Markdown reads all of that text as code.
   */
  readonly inner: Hidden | undefined
}

const HIDDEN: ReadonlySet<MdastNode['type']> = new Set([
  'inlineCode',
  'math',
  'inlineMath',
  'mdxjsEsm',
  'mdxFlowExpression',
  'mdxTextExpression',
])

/** The maximum length of a foreign expression. Longer expressions are the page's own code. */
const EXPRESSION_LENGTH_MAX = 300

export function findHidden({ root, text, toOriginal }: ParsedMarkdown): Hidden {
  const ranges: Range[] = []
  const fenced: Range[] = []
  const indented: Range[] = []
  const place = (start: number, end: number) => ({
    start: toOriginal(start),
    end: toOriginal(end),
  })
  const add = (start: number, end: number) => ranges.push(place(start, end))
  const stack: MdastNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const start = node.position?.start.offset ?? 0
    const end = node.position?.end.offset ?? start
    if (node.type === 'code') {
      if (/[`~]/.test(text.charAt(start))) fenced.push(place(start, end))
      else indented.push(place(start, end))
    } else if (HIDDEN.has(node.type)) {
      if (!isForeign(text, { start, end })) add(start, end)
    } else if (node.type === 'html') addHtml(text, { start, end }, add)
    else if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      const inner = (node.children as readonly MdastNode[])[0]
      add(start, inner?.position?.start.offset ?? end)
    }
    if ('children' in node) for (const child of node.children) stack.push(child)
  }
  const findOther = createLookup(ranges)
  const findIndented = createLookup(indented)
  const isOther = (offset: number) => findOther(offset) !== undefined
  return {
    isHidden: (offset) => isOther(offset) || findIndented(offset) !== undefined,
    codeEnd: createLookup(fenced),
    inner: { isHidden: isOther, codeEnd: undefined, inner: undefined },
  }
}

/**
 * Checks for foreign syntax such as `{{ … }}` and `{width="300"}`, which MDX reads as an
 * expression.
 */
function isForeign(text: string, { start, end }: Range): boolean {
  if (text.charAt(start) !== '{' || end - start > EXPRESSION_LENGTH_MAX) return false
  return text.startsWith('{{', start) || readParts(text.slice(start + 1, end - 1)) !== undefined
}

/** Hides HTML comments, and whole elements whose content is code. */
function addHtml(text: string, node: Range, add: (start: number, end: number) => void): void {
  const html = text.slice(node.start, node.end)
  if (/^<(?:script|style|pre|textarea)\b/i.test(html)) {
    add(node.start, node.end)
    return
  }
  let from = html.indexOf('<!--')
  while (from >= 0) {
    const close = html.indexOf('-->', from)
    const end = close < 0 ? html.length : close + 3
    add(node.start + from, node.start + end)
    from = html.indexOf('<!--', end)
  }
}

function createLookup(ranges: readonly Range[]): (offset: number) => number | undefined {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  // Ranges may be nested, so the farthest end so far is stored for each start.
  let farthest = 0
  const ends = sorted.map(({ end }) => {
    farthest = Math.max(farthest, end)
    return farthest
  })
  return (offset) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    const end = ends[low - 1] ?? 0
    return end > offset ? end : undefined
  }
}
