const NAME_LENGTH_MAX = 60

/** A name that a person typed, in a mail to others: mail programs make no link of it, not even of `evil.example`. */
export function plainName(name: string): string {
  return plainText(name.replaceAll(/\.(?=[\p{L}\p{N}])/gu, '. '), NAME_LENGTH_MAX)
}

/** What somebody typed, as a part of one line of a mail: no line breaks, no links, not endless. */
export function plainText(text: string, lengthMax = 100): string {
  return (
    text
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      // What is left over forms no link again.
      .replaceAll(/(?:https?)?:\/\//gi, ' ')
      .replaceAll(/www\./gi, ' ')
      .slice(0, lengthMax)
      .toWellFormed()
      .trim()
  )
}
