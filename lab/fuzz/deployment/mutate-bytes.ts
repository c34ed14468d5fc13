/** Changes a file at random, as bytes and as JSON. Each change depends only on the seed. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Chance } from '../openapi/change-specification.ts'

const CHANGES_MAX = 4
const DEPTH = 20_000
/** The maximum length of a value that may be repeated often. */
const REPEATED_LENGTH_MAX = 200
const BOMB_BYTES = 16 * 1024 * 1024
const NUMBERS = [
  0,
  1,
  -1,
  0.5,
  255,
  65_536,
  2 ** 31,
  2 ** 32 - 1,
  2_000_000_000,
  1e15,
  1e308,
  -1e308,
]
const TEXTS = [
  '',
  '../../../scripts',
  '/../x',
  '__proto__',
  '\0',
  '\ud800',
  'a'.repeat(10_000),
  '漢'.repeat(5_000),
]
const bomb = deflateRawSync(Buffer.alloc(BOMB_BYTES))
const jsonBomb = deflateRawSync(Buffer.from(`[${'{},'.repeat(BOMB_BYTES / 8)}{}]`))

/** Changes plain bytes. `other` is another file to take parts from. */
export function mutateBytes(bytes: Buffer, other: Buffer, chance: Chance): Buffer {
  let changed: Buffer = Buffer.from(bytes)
  const count = 1 + chance.below(CHANGES_MAX)
  for (let change = 0; change < count; change += 1) changed = mutateOnce(changed, other, chance)
  return changed
}

function mutateOnce(bytes: Buffer, other: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length + 1)
  const start = chance.below(other.length + 1)
  const part = other.subarray(start, start + chance.below(200))
  switch (chance.below(7)) {
    case 0:
      if (at < bytes.length) bytes[at] = chance.below(256)
      return bytes
    case 1:
      if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8))
      return bytes
    case 2:
      return bytes.subarray(0, at)
    case 3:
      return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + chance.below(50))])
    case 5:
      // The largest length or count that five bytes of seven bits can encode.
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.of(255, 255, 255, 255, 15),
        bytes.subarray(at),
      ])
    default:
      return Buffer.concat([bytes, bytes.subarray(0, at), bytes.subarray(at)])
  }
}

/** Changes one value in a JSON text, or changes the text as bytes. */
export function mutateJson(text: Buffer, other: Buffer, chance: Chance): Buffer {
  if (chance.below(3) === 0) return mutateBytes(text, other, chance)
  if (chance.below(40) === 0)
    return Buffer.from(`${'['.repeat(DEPTH)}${chance.below(2) === 0 ? ']'.repeat(DEPTH) : ''}`)
  const value: unknown = JSON.parse(text.toString())
  const holder = { value }
  const count = 1 + chance.below(CHANGES_MAX)
  for (let change = 0; change < count; change += 1) changeOne(holder, chance)
  return Buffer.from(JSON.stringify(holder.value) ?? 'null')
}

type Holder = Record<string, unknown>

/** Replaces a value at a random place in the tree. */
function changeOne(root: { value: unknown }, chance: Chance): void {
  let holder = root as Holder
  let key = 'value'
  for (;;) {
    const inner = holder[key]
    if (typeof inner !== 'object' || inner === null || chance.below(5) === 0) break
    const keys = Object.keys(inner)
    if (keys.length === 0) break
    holder = inner as Holder
    key = chance.pick(keys)
  }
  holder[key] = newValue(holder[key], chance)
}

function newValue(before: unknown, chance: Chance): unknown {
  switch (chance.below(8)) {
    case 0:
    case 1:
    case 2:
      return chance.pick(NUMBERS)
    case 3:
      return chance.pick(TEXTS)
    case 4: {
      const isSmall = (JSON.stringify(before) ?? '').length < REPEATED_LENGTH_MAX
      // The values are cloned, so that a later change to one does not change all of them.
      return Array.from({ length: chance.below(isSmall ? 3_000 : 3) }, () =>
        structuredClone(before),
      )
    }
    case 5:
      return [before, structuredClone(before)]
    case 6:
      return { before, __proto__: null }
    default:
      return chance.pick([null, true, [], {}, [[]], undefined])
  }
}

/**
 * Changes the content of a compressed file or its compressed bytes, or returns a decompression
 * bomb.
 */
export function mutateCompressed(
  bytes: Buffer,
  other: Buffer,
  { chance, mutate }: { readonly chance: Chance; readonly mutate: typeof mutateBytes },
): Buffer {
  const kind = chance.below(50)
  if (kind === 0) return chance.pick([bomb, jsonBomb])
  if (kind < 8) return mutateBytes(bytes, other, chance)
  return deflateRawSync(mutate(inflateRawSync(bytes), other, chance))
}
