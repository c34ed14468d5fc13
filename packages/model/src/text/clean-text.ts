/**
 * Characters that are removed from a model's answers before they are stored or shown: invisible
 * characters, and those that change the text direction. Joiners are kept, because Persian, Hindi
 * and emoji need them.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them alone is taken out.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu

/** Matches plain ASCII, which most text consists of. This check is much faster. */
const PLAIN = /^[\t\n -~]*$/

export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(HIDDEN, '')
    .toWellFormed()
}
