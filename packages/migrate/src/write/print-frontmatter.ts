/** Matches text that YAML reads as the same string without quotes. */
const PLAIN = /^[A-Za-z](?:[\w .,()/+’-]*[\w.)])?$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Prints the frontmatter of a page. Fields without a value are omitted. */
export function printFrontmatter(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${printValue(value)}`],
  )
  return ['---', ...lines, '---', ''].join('\n')
}

function printValue(value: unknown): string {
  const isPlain = typeof value === 'string' && PLAIN.test(value) && !WORDS.test(value)
  return isPlain ? value : JSON.stringify(value)
}
