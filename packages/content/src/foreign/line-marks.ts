/** Lines that are syntax of another tool as a whole. */
import { INCLUDES } from './code-marks.ts'
import { type ForeignSyntax, quote } from './foreign-syntax.ts'
import { type Line, markOf } from './source-lines.ts'

type LineKind = {
  readonly tool: string
  readonly what: string
  readonly find: RegExp
  readonly hint: string
  /** True if the line can go without a loss: Octavo shows the same automatically. */
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
    hint: 'Write a code block with the text of the file.',
  },
  {
    tool: 'VitePress or MkDocs',
    what: 'a table of contents',
    find: /^\[\[?_?toc_?\]\]?$/i,
    hint: 'Remove it: every page has its contents at the side.',
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
    hint: 'Remove it: no container is open here.',
  },
]

const DEFINITION: LineKind = {
  tool: 'MkDocs',
  what: 'a definition',
  find: /^: {2,3}\S/,
  hint: 'Write the term in bold and the text below it, or use `<dl>`, `<dt>` and `<dd>`.',
}

/** Imports of components in plain Markdown, which are text there. */
const IMPORT: LineKind = {
  tool: 'MDX',
  what: 'an import',
  find: /^import\s(?:[A-Z]\w{0,100}|\{[^'"{}]{1,300}\})\sfrom\s+['"]|^import\s[^'"]{1,300}\sfrom\s+['"](?:@|[~.]*\/)/,
  hint: 'Rename the file to `.mdx`: a `.md` file has no imports.',
}

/** An attribute of JSX, which makes its tag text in plain Markdown. */
const JSX: LineKind = {
  tool: 'MDX',
  what: 'an attribute',
  find: /^(?:[-*+]\s+)?(?:<[A-Za-z][^`]{0,300}\s)?[A-Za-z][\w-]{0,40}=\{\{/,
  hint: 'Rename the file to `.mdx`: a `.md` file has only attributes of HTML.',
}

/** What one of these lines begins with. */
const FIRST_SIGNS: ReadonlySet<string> = new Set('-{<[*:i')

/** Returns the syntax that takes the whole line. `before` is the line above, without blank ones. */
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

/** Comments of other tools that insert a file: readers would never see it. */
const COMMENTS = /<!--[ \t]*(?:@include:|-{1,2}8<-{1,2})[^\n]{0,300}?-->/g

export function findComments(
  body: string,
  isCode: (offset: number) => boolean,
): readonly ForeignSyntax[] {
  if (!body.includes('<!--')) return []
  return [...body.matchAll(COMMENTS)].flatMap(({ 0: written, index }) => {
    if (isCode(index)) return []
    const tool = written.includes('@include') ? 'VitePress' : 'MkDocs'
    const message = `${quote(written)} inserts a file with ${tool}; here it is a comment, and nothing is shown.`
    return [{ offset: index, marks: [], message, hint: SNIPPET_HINT }]
  })
}
