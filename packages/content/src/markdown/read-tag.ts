/** Matches a tag, which may span several lines and contain one level of nested braces. */
const TAG = /^<\/?[\w.:-]+(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^<>"'{}])*>/
const TAG_LENGTH_MAX = 5_000

/** Returns the whole tag at an offset, from its `<` to its `>`. */
export function readTag(
  text: string,
  at: number,
  lengthMax: number = TAG_LENGTH_MAX,
): string | undefined {
  return TAG.exec(text.slice(at, at + lengthMax))?.[0]
}
