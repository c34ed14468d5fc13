/**
 * Masks keys, email addresses and card numbers, which readers may paste by mistake, before a
 * question is stored or sent to a model. Each pattern has bounded repetitions, so that the time
 * grows only linearly with the length of the text.
 */

/** Patterns for keys with a prefix that identifies the service. */
const PREFIXED_KEYS = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,4000}\.[\w-]{4,8000}\.[\w-]{4,2000}/g,
  /\b(?:sk|pk|rk)[-_](?:(?:live|test|proj|ant|or|svcacct|admin)[-_])?[\w-]{16,300}/g,
  /\b(?:gh[oprsu]_|github_pat_|glpat-|gldt-|npm_|hf_|dop_v1_|pypi-|whsec_|shpat_|lin_api_)[\w-]{16,300}/g,
  /\b(?:octavo_[a-z]{3}_|mint_|gsk_|xai-|pplx-|r8_|tvly-|nvapi-)[\w-]{16,300}/g,
  /\bxox[abeoprs]-[\w-]{10,300}/g,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\bya29\.[\w-]{20,500}/g,
  /\bSG\.[\w-]{16,40}\.[\w-]{16,80}/g,
]
/**
 * Patterns for keys that are recognized by the text before them. The key must contain a digit,
 * because placeholders usually contain none.
 */
const NAMED_KEYS = [
  /(?<=\b(?:bearer|basic) {1,3})(?=[\w.~+/=-]{0,400}\d)[\w.~+/=-]{12,2000}/gi,
  /(?<=(?:api[_-]?key|access[_-]?key|token|secret|password|passwd|pwd)["'`]?\s{0,3}[:=]\s{0,3}["'`]?)(?=[^\s"'`<>]{0,200}\d)[^\s"'`<>]{8,2000}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{3,200}(?=@)/g,
]
const EMAIL =
  /(?<![\p{L}\p{N}.+_-])(?!git@)[\p{L}\p{N}.+_-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
const DIGITS = /(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d])/g
/** Matches the first digits of the large card networks. */
const CARD = /^(?:4|5[1-5]|2[2-7]|3[04-8]|6)/

export function maskSecrets(text: string): string {
  let masked = text
  for (const pattern of [...PREFIXED_KEYS, ...NAMED_KEYS])
    masked = masked.replaceAll(pattern, (found) => (isMask(found) ? found : '<masked: key>'))
  return masked
    .replaceAll(EMAIL, '<masked: e-mail>')
    .replaceAll(DIGITS, (found) => (isCardNumber(found) ? '<masked: card number>' : found))
}

const isMask = (text: string) => text.startsWith('<masked:')

function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  return CARD.test(digits) && passesLuhn(digits)
}

/** Checks the check digit of a card number. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
