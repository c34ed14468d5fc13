/** Turns definition lists into paragraphs: a bold term with its definition below. */

const DEFINITION = /^([ \t]*):(?: +|\t)(?=\S)/
const FENCE = /^[ \t>]*(`{3,}|~{3,})/

export function convertDefinitions(text: string, convert: (what: string) => void): string {
  if (!/^[ \t]*:(?: +|\t)\S/m.test(text)) return text
  const lines = text.split('\n')
  const result: string[] = []
  let fence = ''
  /** The length of the result at the end of the last definition. */
  let end = -1
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const sign = FENCE.exec(line)?.[1]
    if (sign !== undefined && fence === '') fence = sign
    else if (sign?.startsWith(fence) === true && fence !== '') fence = ''
    if (line.trim() === '' && result.length === end) end += 1
    const marker = fence === '' ? DEFINITION.exec(line) : null
    const term = result.findLastIndex((one) => one.trim() !== '')
    const isFirst = marker !== null && isTerm(result[term] ?? '', marker[1] ?? '')
    if (marker === null || !(isFirst || result.length === end)) {
      result.push(line)
      continue
    }
    if (isFirst) {
      result[term] = bold(result[term] ?? '')
      convert('definition')
    }
    const [opening, indent = ''] = marker
    const below = endOf(lines, at, indent.length)
    const body = [
      line.slice(opening.length),
      ...lines.slice(at + 1, below).map((one) => dedent(one, indent.length)),
    ]
    result.push('', ...body.map((one) => (one.trim() === '' ? '' : indent + one)), '')
    end = result.length
    at = below - 1
  }
  return result.join('\n')
}

function isTerm(line: string, indent: string): boolean {
  const isBlock = /^\s*(?:[-*+>#|:]|\d+[.)]\s|`{3}|~{3}|<(?!!--)|!!!|\?\?\?|===)/.test(line)
  return (
    line.trim() !== '' &&
    !isBlock &&
    line.startsWith(indent) &&
    /\S/.test(line.charAt(indent.length))
  )
}

function bold(term: string): string {
  const [, indent = '', text = ''] = /^(\s*)(.*?)\s*$/.exec(term) ?? []
  // A hook writes the term of `<!-- md:option name -->`.
  const name = /^<!--[ \t]*\w+:\w+[ \t]+([\w.:-]+)[^\n]*-->$/.exec(text)?.[1]
  if (name !== undefined) return `${indent}<span id="${name}"></span>**\`${name}\`**`
  return /^\*\*|^__/.test(text) ? term : `${indent}**${text}**`
}

/** Returns the line after the indented lines of a definition. */
function endOf(lines: readonly string[], start: number, indent: number): number {
  let end = start + 1
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const depth = line.search(/\S/)
    if (depth < 0) continue
    // Without a blank line before it, a line continues the paragraph wherever it starts.
    const isLazy =
      at === end && !DEFINITION.test(line) && depth <= indent && (lines[at - 1] ?? '').trim() !== ''
    if (depth < indent + 4 && !isLazy) break
    end = at + 1
  }
  return end
}

function dedent(line: string, indent: number): string {
  return line.replace(new RegExp(`^ {0,${indent + 4}}`), '')
}
