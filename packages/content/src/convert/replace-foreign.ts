/** Replaces the syntax of other documentation tools in a Markdown body with Octavo's syntax. */
import { applyEdits, type Edit } from '@octavo/model'
import { findForeign } from '../foreign/find-foreign.ts'
import type { ForeignSyntax } from '../foreign/foreign-syntax.ts'
import { checkSource } from '../markdown/check-source.ts'
import { parseMarkdown } from '../markdown/parse-markdown.ts'

/**
 * Returns the replacement of syntax that has no exact one. Undefined leaves the text as it is; the
 * syntax is then in `left`.
 */
export type Replace = (written: string, syntax: ForeignSyntax) => string | undefined

export type ReplacedForeign = {
  readonly text: string
  /** How often each kind of syntax was replaced, by its message without the author's text. */
  readonly replaced: ReadonlyMap<string, number>
  /** The syntax that is still there, with offsets in `text`. */
  readonly left: readonly ForeignSyntax[]
}

/**
 * The maximum number of rounds: replacing a block makes the syntax inside it visible, which is
 * replaced in the next round.
 */
const ROUNDS_MAX = 24

/** Converts a Markdown body. The result has components, so it belongs in an `.mdx` file. */
export function replaceForeign(body: string, replace: Replace = () => undefined): ReplacedForeign {
  const replaced = new Map<string, number>()
  if (checkSource(body, 'md') !== undefined) return { text: body, replaced, left: [] }
  let text = body
  for (let round = 0; ; round += 1) {
    const found = findForeign(text, parseMarkdown(text, 'md'), 'mdx')
    const edits = found.flatMap((one): readonly Edit[] => {
      const edit = editOf(text, one, replace)
      return edit === undefined ? [] : [edit]
    })
    const applied = applyEdits(text, edits)
    if (applied.count === 0 || applied.text === text || round === ROUNDS_MAX)
      return { text, replaced, left: found }
    for (const one of found) {
      if (editOf(text, one, replace) === undefined) continue
      const kind = kindOf(one.message)
      replaced.set(kind, (replaced.get(kind) ?? 0) + 1)
    }
    text = applied.text
  }
}

function editOf(text: string, one: ForeignSyntax, replace: Replace): Edit | undefined {
  const { offset, fix, marks } = one
  if (fix !== undefined) return { start: offset, end: offset + fix.find.length, put: fix.put }
  const [mark] = marks
  const end = mark?.start === offset ? mark.end : offset
  if (end === offset) return undefined
  const put = replace(text.slice(offset, end), one)
  return put === undefined ? undefined : { start: offset, end, put }
}

/** Returns a message without the text that the author wrote. */
function kindOf(message: string): string {
  return message
    .replace(/^(?:In [\w ]+, )?(`+) ?.*? ?\1 /, '')
    .replace(/[;,] .*$/, '')
    .replace(/^(?:is|marks|highlights|encloses) (?:an? )?/, '')
    .replace(/ that Octavo does not support\.?$/, '')
}
