/** Matches a line with one tag of a component, as the conversion of blocks writes it. */
const TAG = /^([ \t>]*)<\/?[A-Z][\w.]*(?:\s[^<>]*)?>[ \t]*$/
const FENCE = /^[ \t>]*(`{3,}|~{3,})/

/**
 * Puts blank lines around the tags of components. Without them, Markdown reads the lines between
 * two tags as HTML, in which links and code have no meaning.
 */
export function separateTags(text: string): string {
  const lines: string[] = []
  let fence = ''
  let isTag = false
  for (const line of text.split('\n')) {
    const sign = FENCE.exec(line)?.[1]
    if (sign !== undefined && fence === '') fence = sign
    else if (sign?.startsWith(fence) === true && line.trim() === sign) fence = ''
    const prefix = fence === '' ? TAG.exec(line)?.[1] : undefined
    const isBlank = line.replaceAll(/[ \t>]/g, '') === ''
    const before = lines.at(-1) ?? ''
    const needsBlank = prefix !== undefined && before.replaceAll(/[ \t>]/g, '') !== ''
    if (needsBlank || (isTag && !isBlank))
      lines.push((prefix ?? /^[ \t>]*/.exec(line)?.[0] ?? '').trimEnd())
    lines.push(line)
    isTag = prefix !== undefined
  }
  return lines.join('\n')
}
