/** How much of a model's context a text takes. Every model counts otherwise; this is on the safe side. */

const CHARACTERS_PER_TOKEN = 3.5
/** Code, tables and other languages take more. */
const RESERVE = 1.1
/** Chinese, Japanese, Korean: about a token for each character. */
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g
/** The least share of our count that a whole prompt can be. */
const WHOLE_SHARE = 0.7
/** A short prompt differs too much from the average to tell. */
const TELLING_TOKENS = 1_000

export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil(((text.length - wide) / CHARACTERS_PER_TOKEN + wide) * RESERVE)
}

/** The beginning of a text that takes so many tokens, up to the end of a line where there is one. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const wide = text.match(WIDE)?.length ?? 0
  const perToken = wide * 4 > text.length ? 1 : CHARACTERS_PER_TOKEN
  const cut = text.slice(0, Math.max(0, Math.floor((tokens / RESERVE) * perToken)))
  const line = cut.lastIndexOf('\n')
  return `${cut.slice(0, line > cut.length / 2 ? line : cut.length)}\n…`
}

/**
 * Whether a server read less than it was sent. Ollama drops the beginning of a prompt that is longer
 * than its context and says nothing. Counted without the reserve and without runs of spaces, since
 * plain English is near the limit: 4.5 characters a token.
 */
export function wasTruncated(prompt: string, inputTokens: number): boolean {
  if (estimateTokens(prompt) < TELLING_TOKENS) return false
  const text = prompt.replaceAll(/\s+/g, ' ')
  const wide = text.match(WIDE)?.length ?? 0
  const counted = (text.length - wide) / CHARACTERS_PER_TOKEN + wide * WHOLE_SHARE
  return inputTokens < counted * WHOLE_SHARE
}
