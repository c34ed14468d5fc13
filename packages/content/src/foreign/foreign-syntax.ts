import type { Fix } from '@octavo/model'

/** A range of characters; `end` is exclusive. */
export type Range = { readonly start: number; readonly end: number }

/**
 * Syntax of another tool, which Octavo shows as text or ignores. Offsets are relative to the body.
 */
export type ForeignSyntax = {
  readonly offset: number
  /** The characters of the syntax itself. No other mistakes are reported in these ranges. */
  readonly marks: readonly Range[]
  readonly message: string
  readonly hint: string
  readonly fix?: Fix | undefined
}

export const CAN_FIX = '`octavo check --fix` can replace it.'

/** Returns what an author wrote, shortened to one line for a message. */
export function quote(written: string): string {
  const line = written.trim().replaceAll(/\s+/g, ' ')
  const short = line.length > 50 ? `${line.slice(0, 47)}...` : line
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``
}
