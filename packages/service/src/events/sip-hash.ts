/**
 * SipHash-2-4 of the UTF-16 of a text: a keyed hash for short inputs. A call into the crypto library for every page
 * that is sent costs several times as much as all other counting (`npm run bench:views`).
 */

/** Gives the low 48 bits, which a number of JavaScript holds exactly. */
export type SipHash = (text: string) => number

/** `key` has at least 16 bytes. */
export function createSipHash(key: Buffer): SipHash {
  const [k0, k1, k2, k3] = [0, 4, 8, 12].map((at) => key.readInt32LE(at)) as Key
  const start = [
    ...[k0 ^ 0x70736575, k1 ^ 0x736f6d65, k2 ^ 0x6e646f6d, k3 ^ 0x646f7261],
    ...[k0 ^ 0x6e657261, k1 ^ 0x6c796765, k2 ^ 0x79746573, k3 ^ 0x74656462],
  ]
  // Four words of 64 bits, each as its low and its high half; used again for each text.
  const v = new Int32Array(8)
  return (text) => {
    for (let place = 0; place < 8; place += 1) v[place] = start[place] ?? 0
    const whole = text.length - (text.length % 4)
    for (let at = 0; at < whole; at += 4) mix(v, pairAt(text, at), pairAt(text, at + 2))
    // What is left, and the number of bytes in the highest byte.
    mix(v, pairAt(text, whole), pairAt(text, whole + 2) | ((text.length * 2) << 24))
    v[4] = at32(v, 4) ^ 0xff
    for (let round = 0; round < 4; round += 1) sipRound(v)
    const low = at32(v, 0) ^ at32(v, 2) ^ at32(v, 4) ^ at32(v, 6)
    const high = at32(v, 1) ^ at32(v, 3) ^ at32(v, 5) ^ at32(v, 7)
    return (high & 0xffff) * 2 ** 32 + (low >>> 0)
  }
}

type Key = [number, number, number, number]

/** Two characters as a number; zero for one that is not there. */
function pairAt(text: string, at: number): number {
  const low = at < text.length ? text.charCodeAt(at) : 0
  return at + 1 < text.length ? low | (text.charCodeAt(at + 1) << 16) : low
}

const at32 = (v: Int32Array, place: number) => v[place] ?? 0

function mix(v: Int32Array, low: number, high: number): void {
  v[6] = at32(v, 6) ^ low
  v[7] = at32(v, 7) ^ high
  sipRound(v)
  sipRound(v)
  v[0] = at32(v, 0) ^ low
  v[1] = at32(v, 1) ^ high
}

function sipRound(v: Int32Array): void {
  add(v, 0, 2)
  rotateXor(v, 2, 13, 0)
  swap(v, 0)
  add(v, 4, 6)
  rotateXor(v, 6, 16, 4)
  add(v, 0, 6)
  rotateXor(v, 6, 21, 0)
  add(v, 4, 2)
  rotateXor(v, 2, 17, 4)
  swap(v, 4)
}

/** The word at `to` becomes the sum of it and the word at `from`. */
function add(v: Int32Array, to: number, from: number): void {
  const low = (at32(v, to) >>> 0) + (at32(v, from) >>> 0)
  v[to + 1] = at32(v, to + 1) + at32(v, from + 1) + (low > 0xffffffff ? 1 : 0)
  v[to] = low
}

/** The word at `place` is turned to the left by less than 32 bits, and combined with the word at `other`. */
function rotateXor(v: Int32Array, place: number, bits: number, other: number): void {
  const low = at32(v, place)
  const high = at32(v, place + 1)
  v[place] = ((low << bits) | (high >>> (32 - bits))) ^ at32(v, other)
  v[place + 1] = ((high << bits) | (low >>> (32 - bits))) ^ at32(v, other + 1)
}

/** Turns a word by 32 bits. */
function swap(v: Int32Array, place: number): void {
  const low = at32(v, place)
  v[place] = at32(v, place + 1)
  v[place + 1] = low
}
