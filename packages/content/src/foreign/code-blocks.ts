/** Finds code blocks that Docusaurus shows as text of the page or as tabs. */
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { type ForeignSyntax, quote } from './foreign-syntax.ts'
import type { CodePiece, Piece } from './parse-blocks.ts'
import {
  closesFence,
  type Fence,
  isBlank,
  type Line,
  lineEnd,
  markOf,
  prefixAt,
  readFence,
  textStart,
} from './source-lines.ts'

type Page = {
  readonly body: string
  readonly format: 'mdx' | 'md'
  readonly lineBreak: string
  /**
   * Returns true if all `mdx-code-block` texts of the page together are valid MDX: one text may
   * close a tag that another one opened.
   */
  readonly isWhole: () => boolean
}

type Opened = { readonly fence: Fence; readonly first: Line; readonly last: Line }

/** Returns the fence of a code block; undefined if the block is not closed. */
function open({ lines }: CodePiece): Opened | undefined {
  const [first] = lines
  const last = lines.at(-1)
  const fence = first === undefined ? undefined : readFence(first.text)
  if (first === undefined || last === undefined || fence === undefined) return undefined
  return lines.length > 1 && closesFence(last.text, fence) ? { fence, first, last } : undefined
}

/** Returns an `mdx-code-block`, whose text Docusaurus shows as part of the page. */
export function findPageText(
  piece: CodePiece,
  { body, format, lineBreak, isWhole }: Page,
): ForeignSyntax | undefined {
  const opened = open(piece)
  if (opened?.fence.info !== 'mdx-code-block') return undefined
  const { first, last } = opened
  const start = textStart(first)
  const prefix = prefixAt(body, start)
  const inner = body
    .slice(piece.lines[1]?.at ?? start, last.at)
    .trimEnd()
    .trimStart()
  // A blank line is needed before the text: without it, imports and tags would be read as text.
  const before = /(?:^|\n[ \t>]*\r?\n)[ \t>]*$/.test(body.slice(0, start)) ? '' : lineBreak + prefix
  const after = /^[ \t]*(?:\r?\n[ \t>]*)?(?:\r?\n|$)/.test(body.slice(lineEnd(last)))
    ? ''
    : lineBreak
  const put = inner === '' ? '' : before + inner + after
  const hint = 'Remove the two fences.'
  const isExact = format === 'mdx' && prefix !== undefined && isWhole()
  const mark = markOf(first)
  return {
    offset: start,
    marks: [mark],
    message: `In Docusaurus, ${quote(first.text)} encloses text of the page; here it is shown as code.`,
    hint: format === 'mdx' ? hint : `Rename the file to \`.mdx\`. ${hint}`,
    fix: isExact ? { find: body.slice(start, lineEnd(last)), put } : undefined,
  }
}

const PAGE_TEXT = /^[ \t>]*(`{3,})mdx-code-block[ \t]*\r?\n([\s\S]*?)^[ \t>]*\1[ \t]*$/gm

/** Checks whether all `mdx-code-block` texts of a page together are valid MDX. */
export function hasWholeTexts(body: string): boolean {
  const texts = [...body.matchAll(PAGE_TEXT)].map(([, , text]) => text)
  return parseMarkdown(texts.join('\n\n'), 'mdx').problems.length === 0
}

/** Matches the options `js tab title="…"`, but not a title of several words with the word "tab". */
const TAB = /^([\w+#-]+)[ \t]+tab(?:=("[^"]*"))?((?:[ \t]+[\w-]+=.*)?)$/
/** Matches the options of a tab that contains several code blocks. */
const WIDE_TAB = /^[\w+#-]+[ \t]+tab=\{/

/**
 * Returns the group of tabs that starts at a code block; undefined if the block does not start one.
 */
export function findCodeTabs(
  pieces: readonly Piece[],
  index: number,
  page: Page,
): ForeignSyntax | undefined {
  if (isTab(pieces[previous(pieces, index)])) return undefined
  const piece = pieces[index]
  const isWide = piece?.kind === 'code' && WIDE_TAB.test(open(piece)?.fence.info ?? '')
  const tabs: CodePiece[] = isWide ? [piece] : []
  for (let at = index; !isWide; at = next(pieces, at)) {
    const tab = pieces[at]
    if (tab?.kind !== 'code' || !isTab(tab)) break
    tabs.push(tab)
  }
  const [first] = tabs.map(open)
  if ((tabs.length < 2 && !isWide) || first === undefined) return undefined
  return {
    offset: textStart(first.first),
    marks: tabs.flatMap(({ lines: [line] }) => (line === undefined ? [] : [markOf(line)])),
    message: `${quote(first.first.text)} marks a tab in Docusaurus, which Octavo does not support.`,
    hint:
      page.format === 'mdx'
        ? 'Put the code blocks into `<CodeGroup>`.'
        : 'Rename the file to `.mdx`, and put the code blocks into `<CodeGroup>`.',
    fix: page.format === 'mdx' && !isWide ? groupTabs(tabs, page) : undefined,
  }
}

function groupTabs(tabs: readonly CodePiece[], { body, lineBreak }: Page): ForeignSyntax['fix'] {
  const opened = tabs.map(open)
  const [first, last] = [opened[0], opened.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const start = textStart(first.first)
  const end = lineEnd(last.last)
  const prefix = prefixAt(body, start)
  let put = `<CodeGroup>${lineBreak}${prefix}`
  let from = start
  for (const one of opened) {
    if (one === undefined || prefix === undefined) return undefined
    const at = one.first.at + one.fence.infoAt
    put += body.slice(from, at) + withTitle(one.fence.info)
    from = at + one.fence.info.length
  }
  return {
    find: body.slice(start, end),
    put: `${put}${body.slice(from, end)}${lineBreak}${prefix}</CodeGroup>`,
  }
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['js', 'JavaScript'],
  ['jsx', 'JavaScript'],
  ['ts', 'TypeScript'],
  ['tsx', 'TypeScript'],
])

/** Returns the code options with the name of the tab as the title. */
function withTitle(info: string): string {
  const [, language = '', label, rest = ''] = TAB.exec(info) ?? []
  if (/\btitle=/.test(rest)) return `${language}${rest}`
  const title = label === undefined ? (NAMES.get(language) ?? language) : `title=${label}`
  return `${language} ${title}${rest}`
}

function isTab(piece: Piece | undefined): boolean {
  return piece?.kind === 'code' && TAB.test(open(piece)?.fence.info ?? '')
}

function previous(pieces: readonly Piece[], index: number): number {
  let at = index - 1
  while (isBlankPiece(pieces[at])) at -= 1
  return at
}

function next(pieces: readonly Piece[], index: number): number {
  let at = index + 1
  while (isBlankPiece(pieces[at])) at += 1
  return at
}

function isBlankPiece(piece: Piece | undefined): boolean {
  return piece?.kind === 'text' && isBlank(piece.line)
}
