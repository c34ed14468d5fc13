/** Creates small documents from a large one: some of its paths, and what they refer to. */
const WHOLE_MAX = 60_000
const SLICE_MAX = 30_000

type Fields = Record<string, unknown>

export function sliceDocument(document: object, count: number): readonly object[] {
  if (JSON.stringify(document).length <= WHOLE_MAX) return [document]
  const { paths, components: _, webhooks: __, ...frame } = document as Fields
  const items = Object.entries((paths ?? {}) as Fields)
  // The slices are spread evenly over the document.
  return Array.from({ length: Math.min(count, items.length) }, (_unused, slice) => {
    const [path, item] = items[Math.floor((slice * items.length) / count)] ?? ['/none', {}]
    const sliced: Fields = { ...frame, paths: { [path]: item }, components: {} }
    copySchemes(document as Fields, sliced)
    copyReferred(document as Fields, sliced, item)
    return sliced
  })
}

function copySchemes(document: Fields, sliced: Fields): void {
  const { securitySchemes } = (document.components ?? {}) as Fields
  if (securitySchemes !== undefined) (sliced.components as Fields).securitySchemes = securitySchemes
}

/**
 * Copies what a slice refers to, breadth-first, until the slice is large enough. The remaining
 * references are broken.
 */
function copyReferred(document: Fields, sliced: Fields, from: unknown): void {
  const waiting = referencesIn(from)
  const seen = new Set<string>()
  let size = JSON.stringify(from).length
  for (const reference of waiting) {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? []
    const part = ((document.components as Fields | undefined)?.[kind] as Fields | undefined)?.[name]
    if (part === undefined || seen.has(reference)) continue
    seen.add(reference)
    size += JSON.stringify(part).length
    if (size > SLICE_MAX) return
    const components = sliced.components as Record<string, Fields>
    components[kind] = { ...components[kind], [name]: part }
    waiting.push(...referencesIn(part))
  }
}

function referencesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = '']) => ref)
}
