/**
 * Checks whether `$…$` is a formula. On real pages, pairs of prices or shell variables ("from $5 to
 * $10") are as common as formulas. So a formula must have no space right inside the dollar signs,
 * no letter or digit right outside, balanced brackets, and a math symbol if it starts like a price.
 */
export function isMath(found: {
  readonly before: string
  readonly content: string
  readonly after: string
}): boolean {
  const { before, content, after } = found
  if (content === '' || /^[{/]|\\$/.test(content) || content.includes('\n\n')) return false
  if (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}{]/u.test(after)) return false
  const hasCommand = /\\[a-zA-Z]{2,}/.test(content)
  if (/^\s|\s$/.test(content) && !hasCommand) return false
  if (hasCommand) return true
  if (!isBalanced(content)) return false
  const hasSign = /[\^_=<>+*/|~≤≥≈±∈∑π-]/.test(content)
  if (/^[\d.,]/.test(content)) return hasSign && !/[a-z]{4,}/i.test(content)
  // Text with words is probably a sentence between two amounts or two variables.
  if (/\s/.test(content) && /[a-z]{4,}/i.test(content)) return hasSign && !/[.,;:]\s/.test(content)
  if (/^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(content)) return false
  return content.length <= 200
}

/**
 * Checks whether brackets are balanced, which they often are not between prices: "STT ($/sec), LLM
 * ($/token)". The interval `[0, 1)` counts as balanced.
 */
function isBalanced(content: string): boolean {
  let depth = 0
  for (const sign of content.replaceAll(/\\./gs, '')) {
    if ('([{'.includes(sign)) depth += 1
    else if (')]}'.includes(sign)) depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
