/** Returns the title of a page without one, from its path. */
export function titleOf(path: string): string {
  const name =
    path
      .replace(/\/index$/, '')
      .split('/')
      .at(-1) ?? path
  const words = name.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
