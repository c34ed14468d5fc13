/**
 * Estimates how many tokens of a model's context some text needs. Tokenizers differ, so the
 * estimate is deliberately high.
 */

const CHARACTERS_PER_TOKEN = 3.5
/** A factor for code, tables and languages other than English, which need more tokens. */
const RESERVE = 1.1
/** Matches characters of Chinese, Japanese and Korean, which need about one token each. */
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g
/** If a server read less than this share of the estimated tokens, the prompt was truncated. */
const COMPLETE_RATIO_MIN = 0.7
/** The estimate is too inaccurate to judge prompts with fewer tokens. */
const TRUNCATION_CHECK_TOKENS_MIN = 1_000

export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil(((text.length - wide) / CHARACTERS_PER_TOKEN + wide) * RESERVE)
}

/** Cuts text to the given number of tokens, at the end of a line if possible. */
export function truncateToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const wide = text.match(WIDE)?.length ?? 0
  const perToken = wide * 4 > text.length ? 1 : CHARACTERS_PER_TOKEN
  const cut = text.slice(0, Math.max(0, Math.floor((tokens / RESERVE) * perToken)))
  const line = cut.lastIndexOf('\n')
  return `${cut.slice(0, line > cut.length / 2 ? line : cut.length)}\n…`
}

/**
 * Returns true if a server read only a part of a prompt. Ollama silently removes the beginning of a
 * prompt that does not fit into its context. This function counts fewer tokens than
 * `estimateTokens`: without the reserve and without repeated whitespace. Otherwise, plain English
 * at 4.5 characters per token would be close to the limit.
 */
export function wasTruncated(prompt: string, inputTokens: number): boolean {
  if (estimateTokens(prompt) < TRUNCATION_CHECK_TOKENS_MIN) return false
  const text = prompt.replaceAll(/\s+/g, ' ')
  const wide = text.match(WIDE)?.length ?? 0
  const counted = (text.length - wide) / CHARACTERS_PER_TOKEN + wide * COMPLETE_RATIO_MIN
  return inputTokens < counted * COMPLETE_RATIO_MIN
}
