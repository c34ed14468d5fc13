/** Returns the words of a page of another tool that its readers see, read from its source. */
import { createPageParser } from '@octavo/content'
import { shownWords } from '../foreign/shown-text.ts'

/** Matches lines and parts of lines that are syntax, and not words for readers. */
const SYNTAX: readonly RegExp[] = [
  /^import\b[^'"`]*['"][^'"\n]*['"];?[ \t]*$/gm,
  /\{\/\*[\s\S]*?\*\/\}/g,
  /^[ \t>]*(?:`{3,}|~{3,}).*$/gm,
  /^[ \t>]*-{1,2}8<-{1,2}.*$/gm,
  /^[ \t]*(?:!!!|\?\?\?\+?|\/{3,})[ \t]*[\w-]+/gm,
  /^[ \t]*:{3,}[ \t]*[\w.]+.*(?:\n[ \t]+.*)*/gm,
  /\{[*!%][^\n]*?[*!%]\}|\{\{[^{}\n]*\}\}/g,
  /\{:?[ \t]*(?:[.#][\w-]|[\w-]+=)[^{}\n]*\}/g,
  /:(?:material|octicons|fontawesome|simple|lucide|bootstrap)-[\w-]+:|:[a-z_]+:/g,
  /<!--[\s\S]*?-->|<(?:script|style|svg)\b[\s\S]*?<\/(?:script|style|svg)>/g,
  /<[^<>]*>/g,
  /\]\([^()\s]*|\]\[[^\]\n]*\]|^[ \t]*\[[^\]\n]*\]:.*$/gm,
  /\+\+[\w+"-]+\+\+/g,
]

export function sourceWords(text: string): ReadonlySet<string> {
  const page = text.replace(/^---\n[\s\S]*?\n---\n/, '')
  // Docusaurus shows these texts as part of the page.
  const body = page.replaceAll(/^```mdx-code-block\n([\s\S]*?)^```$/gm, '$1')
  const plain = SYNTAX.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), body)
  return shownWords(createPageParser({ read: () => undefined })('page.md', plain).children)
}
