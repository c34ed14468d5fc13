/** Readable literals for longer texts: one line of the program for each line of the text. */
import { isPrintable } from './escape-text.ts'

export type LineLiterals = {
  readonly quote: (line: string) => string
  /** Separates the literals of two lines, including the line break and the indentation. */
  readonly between: string
}

/** Joins one literal per line of the text: `"{\n" + "}"`. */
export function quoteLines(text: string, { quote, between }: LineLiterals): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? ['']
  return lines.map(quote).join(between)
}

/**
 * True if a text survives a literal whose indentation the language strips: nothing invisible, no
 * trailing spaces, and no line that would change the margin.
 */
export function isBlock(text: string): boolean {
  return isPrintable(text) && text.includes('\n') && text === text.trim() && !/[^\S\n]\n/.test(text)
}

export function indentBlock(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent)
}

/** Returns the length of the longest run of a character: a delimiter needs one more. */
export function findLongestRun(text: string, character: '#' | '"' | '-'): number {
  const runs = text.match(new RegExp(`${character}+`, 'g')) ?? []
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0)
}
