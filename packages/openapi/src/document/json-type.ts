import { KIND, type Kind } from './tape.ts'

/** Describes a kind of value for authors, such as "a list" or "an object". */
export function describeKind(kind: Kind): string {
  switch (kind) {
    case KIND.object:
      return 'an object'
    case KIND.array:
      return 'a list'
    case KIND.string:
      return 'a string'
    case KIND.number:
      return 'a number'
    case KIND.true:
      return '`true`'
    case KIND.false:
      return '`false`'
    case KIND.null:
      return '`null`'
  }
}

/** Returns true for media types whose content is JSON. */
export function isJsonType(mediaType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(mediaType)
}
