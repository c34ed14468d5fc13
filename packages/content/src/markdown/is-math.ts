/**
 * Whether `$…$` is a formula. Prices and shell variables come in pairs too ("from $5 to $10"), on as
 * many real pages as formulas, so a formula has to look like one: no space inside the signs, no
 * letter or digit right outside, and what begins like a price needs a sign of mathematics.
 */
export function isMath(found: {
  readonly before: string
  readonly content: string
  readonly after: string
}): boolean {
  const { before, content, after } = found
  if (content === '' || content.startsWith('{') || content.includes('\n\n')) return false
  if (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}{]/u.test(after)) return false
  const hasCommand = /\\[a-zA-Z]{2,}/.test(content)
  if (/^\s|\s$/.test(content) && !hasCommand) return false
  if (hasCommand) return true
  const hasSign = /[\^_=<>+*/|~≤≥≈±∈∑π-]/.test(content)
  if (/^[\d.,]/.test(content)) return hasSign && !/[a-z]{4,}/i.test(content)
  // Words of a sentence between two amounts or two variables.
  if (/\s/.test(content) && /[a-z]{4,}/i.test(content)) return hasSign && !/[.,;:]\s/.test(content)
  if (/^[A-Z][A-Z\d]*_[A-Z\d_]+$/.test(content)) return false
  return content.length <= 200
}
