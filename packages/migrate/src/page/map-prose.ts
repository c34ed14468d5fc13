/** Splits Markdown into code and the text around it. */

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/

const same = (code: string) => code

/** Replaces the text outside of fenced code, and the blocks of code with their fences. */
export function mapProse(
  text: string,
  replace: (prose: string) => string,
  replaceCode: (code: string) => string = same,
): string {
  const parts: string[] = []
  let lines: string[] = []
  let fence = ''
  const flush = (isCode: boolean) => {
    if (lines.length > 0) parts.push((isCode ? replaceCode : replace)(lines.join('\n')))
    lines = []
  }
  for (const line of text.split('\n')) {
    const sign = FENCE.exec(line)?.[1]
    if (fence === '' && sign !== undefined) {
      flush(false)
      fence = sign
      lines.push(line)
    } else if (
      fence !== '' &&
      sign?.startsWith(fence) === true &&
      /^[ \t>]*[`~]+[ \t]*$/.test(line)
    ) {
      lines.push(line)
      flush(true)
      fence = ''
    } else lines.push(line)
  }
  flush(fence !== '')
  return parts.join('\n')
}

/** Replaces matches of a pattern outside of code in backticks on the same line. */
export function replaceOutsideCode(
  prose: string,
  pattern: RegExp,
  replace: (...match: readonly string[]) => string,
): string {
  const code = [...prose.matchAll(/(`+)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)/g)].map(
    ({ index, 0: { length } }) => ({ from: index, to: index + length }),
  )
  return prose.replaceAll(pattern, (...all: unknown[]) => {
    const at = Number(all.find((one) => typeof one === 'number'))
    const written = String(all[0])
    if (code.some(({ from, to }) => at >= from && at < to)) return written
    return replace(...all.map((one) => (typeof one === 'string' ? one : '')))
  })
}
