/** Finds lines that consist entirely of syntax of another tool. */
import { INCLUDES } from './code-marks.ts'
import { type ForeignSyntax, quote } from './foreign-syntax.ts'
import { type Line, markOf } from './source-lines.ts'

type LineKind = {
  readonly tool: string
  readonly what: string
  readonly find: RegExp
  readonly hint: string
  /** True if the line can be removed, because Octavo does the same without it. */
  readonly isRemoved?: boolean
}

const SNIPPET_HINT = "Import the text as a snippet, as in `import Part from '/snippets/part.mdx'`."

const LINES: readonly LineKind[] = [
  ...INCLUDES.map(({ tool, find }) => ({
    tool,
    find,
    what: 'an included file',
    hint: SNIPPET_HINT,
  })),
  {
    tool: 'VitePress',
    what: 'an included file',
    find: /^<<<[ \t]*(?:@|\.{1,2}\/|~)[^\s<]/,
    hint: 'Copy the text of the file into a code block.',
  },
  {
    tool: 'VitePress or MkDocs',
    what: 'a table of contents',
    find: /^\[\[?_?toc_?\]\]?$/i,
    hint: 'Remove this line: every page has a table of contents at the side.',
    isRemoved: true,
  },
  {
    tool: 'MkDocs',
    what: 'an abbreviation',
    find: /^\*\[[^\]\n]{1,100}\]:\s*\S/,
    hint: 'Write `<abbr title="…">` around the word.',
  },
  {
    tool: 'Docusaurus, Starlight or VitePress',
    what: 'the end of a container',
    find: /^:{3,}$/,
    hint: 'Remove this line: no container is open here.',
  },
]

const DEFINITION: LineKind = {
  tool: 'MkDocs',
  what: 'a definition',
  find: /^: {2,3}\S/,
  hint: 'Write the term in bold and the text below it, or use `<dl>`, `<dt>` and `<dd>`.',
}

/** Imports of components, which are text in plain Markdown. */
const IMPORT: LineKind = {
  tool: 'MDX',
  what: 'an import',
  find: /^import\s(?:[A-Z]\w{0,100}|\{[^'"{}]{1,300}\})\sfrom\s+['"]|^import\s[^'"]{1,300}\sfrom\s+['"](?:@|[~.]*\/)/,
  hint: 'Rename the file to `.mdx`: a `.md` file does not support imports.',
}

/** A JSX attribute. In plain Markdown, it makes the tag appear as text. */
const JSX: LineKind = {
  tool: 'MDX',
  what: 'an attribute',
  find: /^(?:[-*+]\s+)?(?:<[A-Za-z][^`]{0,300}\s)?[A-Za-z][\w-]{0,40}=\{\{/,
  hint: 'Rename the file to `.mdx`: a `.md` file supports only HTML attributes.',
}

/** The characters with which a line in foreign syntax can begin. */
const FIRST_SIGNS: ReadonlySet<string> = new Set('-{<[*:i')

/**
 * Returns the foreign syntax that fills the whole line. `before` is the nearest line above that is
 * not blank.
 */
export function findInLine(
  line: Line,
  { before, isMarkdown }: { readonly before: string; readonly isMarkdown: boolean },
): ForeignSyntax | undefined {
  const text = line.text.trim()
  const isJsx = isMarkdown && text.includes('={{')
  if (!isJsx && !FIRST_SIGNS.has(text.charAt(0))) return undefined
  const kinds = isMarkdown ? [...LINES, IMPORT, JSX] : LINES
  const isTerm = /^\S/.test(before) && !/^(?:[-*+#>|:`~<]|\d+[.)]\s)/.test(before)
  const kind =
    kinds.find(({ find }) => find.test(text)) ??
    (isTerm && DEFINITION.find.test(text) ? DEFINITION : undefined)
  if (kind === undefined) return undefined
  const mark = markOf(line)
  const { tool, what, hint, isRemoved } = kind
  const message = `${quote(text)} is ${what} of ${tool}; here it is shown as text.`
  const fix = isRemoved === true ? { find: text, put: '' } : undefined
  return { offset: mark.start, marks: [mark], message, hint, fix }
}

/**
 * Matches comments with which other tools insert a file. In Octavo, readers would not see the file.
 */
const COMMENTS = /<!--[ \t]*(?:@include:|-{1,2}8<-{1,2})[^\n]{0,300}?-->/g

export function findComments(
  body: string,
  isCode: (offset: number) => boolean,
): readonly ForeignSyntax[] {
  if (!body.includes('<!--')) return []
  return [...body.matchAll(COMMENTS)].flatMap(({ 0: written, index }) => {
    if (isCode(index)) return []
    const tool = written.includes('@include') ? 'VitePress' : 'MkDocs'
    const message = `In ${tool}, ${quote(written)} inserts a file; here it is a comment, and nothing is shown.`
    return [{ offset: index, marks: [], message, hint: SNIPPET_HINT }]
  })
}
