import type { Fix } from '@octavo/model'

/** From the first character up to, but not including, the last. */
export type Range = { readonly start: number; readonly end: number }

/** Syntax of another tool, which this page shows as text or ignores. Offsets are in the body. */
export type ForeignSyntax = {
  readonly offset: number
  /** The characters of the syntax itself: other mistakes are not reported there. */
  readonly marks: readonly Range[]
  readonly message: string
  readonly hint: string
  readonly fix?: Fix | undefined
}

export const CAN_FIX = '`octavo check --fix` can replace it.'

/** Shortens what an author wrote to one line for a message. */
export function quote(written: string): string {
  const line = written.trim().replaceAll(/\s+/g, ' ')
  const short = line.length > 50 ? `${line.slice(0, 47)}...` : line
  return short.includes('`') ? `\`\` ${short} \`\`` : `\`${short}\``
}
