/** Plants a fault in the code of a curl sample, as a careless edit would make it. */
import type { Chance } from '../../fuzz/openapi/change-specification.ts'

export type Fault = { readonly kind: string; readonly source: string }

/** What a fault needs to know of the sample's operation, read with another parser than ours. */
export type FaultPlace = {
  readonly method: string
  readonly requiredKeys: readonly string[]
  readonly needsCredential: boolean
}

const URL_PATTERN = /https:\/\/[^\s"'\\]+/

/** Returns the sample with one fault; undefined if the kind does not apply to it. */
export function plantFault(source: string, at: FaultPlace, chance: Chance): Fault | undefined {
  const kinds = [...KINDS]
  for (let left = kinds.length; left > 0; left -= 1) {
    const [kind] = kinds.splice(chance.below(left), 1)
    const changed = kind?.[1](source, at, chance)
    if (kind !== undefined && changed !== undefined && changed !== source) {
      return { kind: kind[0], source: changed }
    }
  }
  return undefined
}

type Plant = (source: string, at: FaultPlace, chance: Chance) => string | undefined

const KINDS: readonly (readonly [kind: string, plant: Plant])[] = [
  [
    'wrong method',
    (source, { method }) => {
      const other = method === 'DELETE' ? 'TRACE' : 'DELETE'
      return source.replace(new RegExp(`(-X\\s*|--request\\s+)["']?${method}["']?`), `$1${other}`)
    },
  ],
  [
    'misspelled path',
    (source, _, chance) =>
      inUrl(source, (url) => {
        const [, origin = '', path = '', rest = ''] =
          /^(https:\/\/[^/]+)([^?]*)(.*)$/s.exec(url) ?? []
        // The first segments are fixed: the version, and a name such as `droplets`.
        const segments = path.split('/')
        const index = 1 + chance.below(Math.min(2, segments.length - 1))
        const text = segments[index] ?? ''
        segments[index] = `${text}${text.at(-1) ?? 'x'}`
        return `${origin}${segments.join('/')}${rest}`
      }),
  ],
  [
    'missing path segment',
    (source) => inUrl(source, (url) => url.replace(/^(https:\/\/[^/]+)\/[^/?]+/, '$1')),
  ],
  [
    'misspelled query parameter',
    (source) => inUrl(source, (url) => url.replace(/([?&])(\w+)=/, '$1$2x=')),
  ],
  [
    'unknown query parameter',
    (source) => inUrl(source, (url) => `${url}${url.includes('?') ? '&' : '?'}pge=2`),
  ],
  [
    'misspelled credential header',
    (source, { needsCredential }) =>
      needsCredential ? source.replace(/Authorization:/i, 'Autorization:') : undefined,
  ],
  [
    'wrong media type',
    (source) =>
      hasBody(source) ? source.replace('application/json', 'application/jsn') : undefined,
  ],
  [
    'malformed JSON',
    (source) => (hasBody(source) ? source.replace(/("[\w-]+")\s*:/, '$1') : undefined),
  ],
  [
    'misspelled required property',
    (source, { requiredKeys }) => {
      const key = requiredKeys.find((one) => source.includes(`"${one}"`))
      return key === undefined ? undefined : source.replaceAll(`"${key}"`, `"${key}x"`)
    },
  ],
  [
    'missing body',
    (source, { requiredKeys }) =>
      requiredKeys.length === 0 ? undefined : source.replace(/\s(?:-d|--data)\s+'[^']*'/, ''),
  ],
  ['unterminated quote', (source) => source.replace(/'(?=[^']*$)/, '')],
]

function hasBody(source: string): boolean {
  return /\s(?:-d|--data)\s+'\s*\{/.test(source)
}

function inUrl(source: string, change: (url: string) => string): string | undefined {
  const [url] = URL_PATTERN.exec(source) ?? []
  return url === undefined ? undefined : source.replace(url, () => change(url))
}
