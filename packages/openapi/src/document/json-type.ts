import { KIND, type Kind } from './tape.ts'

/** Returns a kind of value in an author's words: "a list", "an object", …. */
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
