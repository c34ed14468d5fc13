/** Generates pseudorandom numbers (mulberry32) that are the same in every demo. */
export type SampleRandom = {
  /** Returns a random number from 0 to 1. */
  readonly next: () => number
  /** Returns a random integer close to the mean. */
  readonly around: (mean: number) => number
  readonly isLikely: (chance: number) => boolean
}

const SPREAD = 0.35

export function createSampleRandom(seed: number): SampleRandom {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    around: (mean) => Math.max(0, Math.round(mean * (1 - SPREAD + next() * 2 * SPREAD))),
    isLikely: (chance) => next() < chance,
  }
}
