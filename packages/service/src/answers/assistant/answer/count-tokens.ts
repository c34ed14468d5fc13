/**
 * Estimates how many tokens of a model's context a text takes. Tokenizers differ, so the estimate
 * is on the high side.
 */

const CHARACTERS_PER_TOKEN = 3.5
/** Code, tables and languages other than English take more tokens. */
const RESERVE = 1.1
/** Chinese, Japanese and Korean take about one token per character. */
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g
/** The smallest ratio of reported to estimated tokens that a complete prompt can have. */
const COMPLETE_RATIO_MIN = 0.7
/** Shorter prompts deviate too much from the average to judge. */
const TRUNCATION_CHECK_TOKENS_MIN = 1_000

export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil(((text.length - wide) / CHARACTERS_PER_TOKEN + wide) * RESERVE)
}

/** Cuts a text to the given number of tokens, at the end of a line if possible. */
export function truncateToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const wide = text.match(WIDE)?.length ?? 0
  const perToken = wide * 4 > text.length ? 1 : CHARACTERS_PER_TOKEN
  const cut = text.slice(0, Math.max(0, Math.floor((tokens / RESERVE) * perToken)))
  const line = cut.lastIndexOf('\n')
  return `${cut.slice(0, line > cut.length / 2 ? line : cut.length)}\n…`
}

/**
 * Checks whether a server read less than it was sent. Ollama silently drops the beginning of a
 * prompt that is longer than its context. Counts without the reserve and without runs of spaces,
 * since plain English is close to the limit at 4.5 characters per token.
 */
export function wasTruncated(prompt: string, inputTokens: number): boolean {
  if (estimateTokens(prompt) < TRUNCATION_CHECK_TOKENS_MIN) return false
  const text = prompt.replaceAll(/\s+/g, ' ')
  const wide = text.match(WIDE)?.length ?? 0
  const counted = (text.length - wide) / CHARACTERS_PER_TOKEN + wide * COMPLETE_RATIO_MIN
  return inputTokens < counted * COMPLETE_RATIO_MIN
}
