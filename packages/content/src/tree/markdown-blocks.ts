/** Joins and indents blocks of Markdown text. */

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block.trim() !== '').join('\n\n')
}

export function prefixLines(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => `${prefix}${line}`.trimEnd())
    .join('\n')
}

export function indentAll(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `${indent}${line}`))
    .join('\n')
}

export function indentRest(text: string, indent: string): string {
  const [first = '', ...rest] = text.split('\n')
  return [first, ...rest.map((line) => (line === '' ? line : `${indent}${line}`))].join('\n')
}
