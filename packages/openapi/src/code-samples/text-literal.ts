/** Helpers for readable literals of multi-line text, with one line of code per line of text. */
import { isPrintable } from './escape-text.ts'

export type LineLiterals = {
  readonly quote: (line: string) => string
  /** The code between the literals of two lines, including the line break and indentation. */
  readonly between: string
}

/** Prints each line of text as a literal, and joins the literals: `"{\n" + "}"`. */
export function quoteLines(text: string, { quote, between }: LineLiterals): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? ['']
  return lines.map(quote).join(between)
}

/**
 * Returns true if multi-line text can be in a literal whose indentation the language removes. It
 * must not contain invisible characters or trailing spaces, or start or end with white space.
 */
export function isBlock(text: string): boolean {
  return isPrintable(text) && text.includes('\n') && text === text.trim() && !/[^\S\n]\n/.test(text)
}

export function indentBlock(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent)
}

/** Returns the length of the longest run of a character. A delimiter needs one more. */
export function findLongestRun(text: string, character: '#' | '"' | '-'): number {
  const runs = text.match(new RegExp(`${character}+`, 'g')) ?? []
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0)
}
