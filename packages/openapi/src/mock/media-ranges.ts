/** Returns a media type without its parameters, in lower case. */
export function plainType(written: string): string {
  return (written.split(';')[0] ?? '').trim().toLowerCase()
}

/** Returns the type or range, such as `text/*`, that describes a media type best. */
export function bestMatch(type: string, ranges: readonly string[]): string | undefined {
  if (type === '') return undefined
  const [group = ''] = type.split('/')
  const wanted = [type, `${group}/*`, '*/*', '*']
  for (const one of wanted) {
    const found = ranges.find((range) => plainType(range) === one)
    if (found !== undefined) return found
  }
  return undefined
}

/** The maximum number of types of an `Accept` header that are read. */
const ACCEPTED_MAX = 100

/**
 * Returns the type that the client prefers among those of a response: the first one without an
 * `Accept` header, and undefined if the client accepts no type.
 */
export function acceptedType(accept: string, types: readonly string[]): string | undefined {
  const accepted = accept
    .split(',', ACCEPTED_MAX)
    .map((range) => ({ range: plainType(range), quality: qualityOf(range) }))
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  if (accepted.length === 0) return types[0]
  for (const { range } of accepted) {
    const found = types.find((type) => overlaps(range, plainType(type)))
    if (found !== undefined) return found
  }
  return undefined
}

function overlaps(a: string, b: string): boolean {
  if (a === b || [a, b].some((range) => range === '*/*' || range === '*')) return true
  const [groupA, typeA] = a.split('/')
  const [groupB, typeB] = b.split('/')
  return groupA === groupB && (typeA === '*' || typeB === '*')
}

function qualityOf(range: string): number {
  const [, written] = /;\s*q=([\d.]+)/i.exec(range) ?? []
  return written === undefined ? 1 : Number(written)
}
