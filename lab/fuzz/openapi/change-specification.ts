/** Changes a specification at random, as a value and as text. */

type Fields = Record<string, unknown>
type Spot = { readonly holder: Fields; readonly key: string }

/** A random generator that depends only on the seed (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  below(max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max
  }

  pick<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)] as Item
  }
}

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  '',
  ' ',
  '$ref',
  'x-svc',
  '/',
  '~',
  '~1',
  '%',
  '%2F',
  '#',
  '.',
  '../../../scripts',
  '\0',
  '\n',
  '\ud800',
  '\u2028',
  '<script>',
  '{',
  '{}',
  'a'.repeat(5_000),
  'schema',
  'allOf',
  'properties',
  'get',
  'parameters',
  'x-',
  'default',
  '0',
]
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'text',
  '\0',
  '\ud800',
  '{{{',
  [],
  {},
  [[]],
  [{}],
  'x'.repeat(20_000),
  [null],
  { $ref: 1 },
  { $ref: '' },
  { $ref: '#' },
  { $ref: '#/' },
  { type: ['object', 'null', 'object'] },
  { enum: [] },
  { allOf: [true] },
  'javascript:alert(1)',
]
const REFERENCES = [
  '#',
  '#/',
  '#/paths',
  '#/components',
  '#/components/schemas',
  '#/info/title',
  '#/%',
  '#/~',
  '#a',
  '',
  'other.json',
  'file:///etc/passwd',
  '#/components/schemas/__proto__',
  '#/x/0/length',
]

/** Makes one change at a random place in a document. */
export function changeValue(document: object, chance: Chance): void {
  const spots = spotsIn(document)
  if (spots.length === 0) return
  const { holder, key } = chance.pick(spots)
  switch (chance.below(10)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      return
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]))
      else put(holder, `${key}${chance.below(3)}`, structuredClone(holder[key]))
      return
    case 2: {
      const references = spots.filter((spot) => spot.key === '$ref')
      const texts = references
        .map((spot) => spot.holder.$ref)
        .filter((it) => typeof it === 'string')
      const spot = references.length > 0 ? chance.pick(references) : { holder, key: '$ref' }
      put(spot.holder, '$ref', chance.pick([...texts, ...REFERENCES]))
      return
    }
    case 3:
      put(holder, key, nested(holder[key], 1 + chance.below(150), chance))
      return
    case 4: {
      // Replaces a value with another part of the document, which does not belong there.
      const other = chance.pick(spots)
      put(holder, key, structuredClone(other.holder[other.key]))
      return
    }
    case 5:
      if (!Array.isArray(holder)) put(holder, chance.pick(KEYS), structuredClone(holder[key]))
      return
    case 6:
      put(
        holder,
        key,
        Array.from({ length: 1 + chance.below(2_000) }, () => chance.pick(VALUES.slice(0, 10))),
      )
      return
    case 7:
      if (Array.isArray(holder)) holder.reverse()
      else rename(holder, key, chance.pick(KEYS))
      return
    default:
      put(holder, key, structuredClone(chance.pick(VALUES)))
  }
}

/** Sets an own property, even for the key `__proto__`. */
function put(holder: Fields, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function rename(holder: Fields, key: string, name: string): void {
  const value = holder[key]
  delete holder[key]
  put(holder, name, value)
}

function nested(value: unknown, levels: number, chance: Chance): unknown {
  const key = chance.pick(['items', 'allOf', 'properties', 'not', 'schema'])
  let inner = value
  for (let level = 0; level < levels; level += 1) {
    if (key === 'allOf') inner = { allOf: [inner] }
    else if (key === 'properties') inner = { properties: { p: inner } }
    else inner = { [key]: inner }
  }
  return inner
}

function spotsIn(value: unknown, spots: Spot[] = []): Spot[] {
  if (typeof value !== 'object' || value === null) return spots
  for (const [key, inner] of Object.entries(value)) {
    spots.push({ holder: value as Fields, key })
    spotsIn(inner, spots)
  }
  return spots
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ',',
  ':',
  '\\',
  '\n',
  '\t',
  ' ',
  '  ',
  '\0',
  '\uFEFF',
  '\ud800',
  '\r',
  '- ',
  '? ',
  '&a ',
  '*a',
  '<<: *a',
  '!!binary ',
  '!x ',
  '|',
  '>-',
  '#',
  '---\n',
  '...\n',
  '%YAML 1.2\n',
  'null',
  '1e400',
  '0x1F',
  '0o17',
  '.inf',
  '.nan',
  '2026-01-31',
  'yes',
  '"__proto__":',
  '"\\u12',
]

/** Makes one to three changes at random places in the text. */
export function changeText(text: string, chance: Chance): string {
  let changed = text
  for (let change = chance.below(3); change >= 0; change -= 1) changed = changeOnce(changed, chance)
  return changed
}

function changeOnce(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1)
  const length = chance.below(chance.pick([2, 20, 500]))
  switch (chance.below(7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + length)
    case 2: {
      const from = chance.below(text.length + 1)
      return text.slice(0, at) + text.slice(from, from + length) + text.slice(at)
    }
    case 3: {
      const flipped = String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << chance.below(8)))
      return text.slice(0, at) + flipped + text.slice(at + 1)
    }
    case 4: {
      // The indentation of one line changes.
      const line = text.lastIndexOf('\n', at) + 1
      const pad = chance.pick(['', ' ', '  ', '    ', '\t'])
      return text.slice(0, line) + pad + text.slice(line).trimStart()
    }
    default:
      return text.slice(0, at) + chance.pick(PIECES) + text.slice(at)
  }
}
