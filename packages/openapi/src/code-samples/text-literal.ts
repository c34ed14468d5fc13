/** Longer texts as people like to read them: one line of the program for each line of the text. */
import { isPrintable } from './escape-text.ts'

export type LineLiterals = {
  readonly quote: (line: string) => string
  /** Stands between the literals of two lines, with the line end and the indentation. */
  readonly between: string
}

/** One literal per line of the text, joined: `"{\n" + "}"`. */
export function quoteLines(text: string, { quote, between }: LineLiterals): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? ['']
  return lines.map(quote).join(between)
}

/**
 * Whether a text survives a literal whose indentation is taken off by the language: nothing
 * invisible, no spaces that a compiler would strip, no line that would move the margin.
 */
export function isBlock(text: string): boolean {
  return isPrintable(text) && text.includes('\n') && text === text.trim() && !/[^\S\n]\n/.test(text)
}

export function indentBlock(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent)
}

/** The length of the longest run of a character: a delimiter needs one more. */
export function findLongestRun(text: string, character: '#' | '"' | '-'): number {
  const runs = text.match(new RegExp(`${character}+`, 'g')) ?? []
  return runs.reduce((longest, run) => Math.max(longest, run.length), 0)
}
