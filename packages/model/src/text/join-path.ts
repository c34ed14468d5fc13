/**
 * Joins a written path to a folder: `.` and `..` are resolved, empty segments are dropped, and a
 * leading slash means the root. Undefined if the result would be outside the root.
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
