import type { Format } from '../markdown/parse-markdown.ts'
import { MARK, SIGN } from './inline-marks.ts'

/**
 * Returns false if a page certainly has no syntax of another tool, which is true of most pages:
 * searching them line by line would take as long as parsing them. If it returns true, the search
 * may still find none.
 */
export function mayBeForeign(body: string, format: Format): boolean {
  // In plain Markdown, imports and JSX attributes are foreign too.
  return format === 'md' || SIGNS.test(body.includes('{#') ? body.replace(HEADING_IDS, '') : body)
}

/** Matches heading ids, which are Octavo syntax. */
const HEADING_IDS = /(?<=^ {0,3}#{1,6} .{0,300})\{#[\w-]+\}(?=\s*$)/gm

/** Words that other tools read after a code fence. */
const FENCE_WORDS = `snackplayer npm2yarn live noinline no-transpile copy wordwrap word-wrap no-copy config-tabs
  mdx-code-block tab linenums startline maxlines collapse mark frame lang ins del add remove exec`

const FENCE = new RegExp(
  `(?:\`{3}|~{3})[^\\n]*?(?:${[
    /[\w}]\{|\{\s*[^\d\s,}-]|:(?:no-)?line-numbers|\[|(?<!=)["']|[ \t]\//,
    new RegExp(`\\b(?:${FENCE_WORDS.split(/\s+/).join('|')})\\b`),
  ]
    .map(({ source }) => source)
    .join('|')})`,
)

const SIGNS = new RegExp(
  `${SIGN.source}(?:${[
    // Blocks, lines in foreign syntax, and code options.
    /:{3}|!{3}|\?{3}|\/{3}|<{3}/,
    new RegExp(`(?<=^[\\s>]*)(?:={3}[!+]{0,2} +["']|: {2,3}\\S|${FENCE.source})`),
    /\[_?toc_?\]|\*\[[^\]\n]{1,100}\]:|-8<|@include/,
    // Templates, included files, cross-references, and inline marks.
    /\{[%!*]|`\]\[|\]\[(?:\]|`?[a-z_]\w*\.\w)/,
    MARK,
    // Comments in code.
    /\(\d{1,3}\)!|\[!code |(?:\/\/|#|\/\*|<!--|\{\/\*|--)\s*highlight-/,
  ]
    .map(({ source }) => source)
    .join('|')})`,
  'im',
)
