/**
 * Joins a written path to a folder: `.` and `..` are resolved, empty segments are removed, and a
 * leading slash refers to the root. Returns undefined if the result would be outside the root.
 */
export function joinPath(folder: string, written: string): string | undefined {
  const from = written.startsWith('/') ? '' : folder
  const segments: string[] = []
  for (const segment of `${from}/${written}`.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.join('/')
}
