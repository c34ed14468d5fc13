const NAME_LENGTH_MAX = 60

/**
 * Formats a name that a user chose, for use in an email to other people: mail programs must not
 * turn it into a link, even if it is `evil.example`.
 */
export function plainName(name: string): string {
  return plainText(name.replaceAll(/\.(?=[\p{L}\p{N}])/gu, '. '), NAME_LENGTH_MAX)
}

/**
 * Formats user input as part of one line of an email: without line breaks and links, and of limited
 * length.
 */
export function plainText(text: string, lengthMax = 100): string {
  return (
    text
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      // Uses a space, so that the text before and after does not form another link.
      .replaceAll(/(?:https?)?:\/\//gi, ' ')
      .replaceAll(/www\./gi, ' ')
      .slice(0, lengthMax)
      .toWellFormed()
      .trim()
  )
}
