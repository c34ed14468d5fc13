/** What somebody typed, as a part of one line of a mail: no line breaks, no links, not endless. */
export function plainText(text: string, lengthMax = 100): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/https?:\/\/|www\./gi, '')
    .slice(0, lengthMax)
    .toWellFormed()
    .trim()
}
