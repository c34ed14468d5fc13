const NAME_LENGTH_MAX = 60

/**
 * Formats a user's name for an email to others, so that mail programs do not turn it into a link,
 * not even `evil.example`.
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
      // Replaces with a space, so that the rest cannot form a link.
      .replaceAll(/(?:https?)?:\/\//gi, ' ')
      .replaceAll(/www\./gi, ' ')
      .slice(0, lengthMax)
      .toWellFormed()
      .trim()
  )
}
