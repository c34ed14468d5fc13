/**
 * How likely the documentation answers a question, from what was measured of it: the share of its
 * words, each by how rare it is, that the site, the best sections and the best pages have; whether it
 * names a thing that the site does not; and, with vectors, how near the nearest sections are and
 * whether words and meaning agree.
 *
 * The numbers are those of a logistic regression over 300 labelled questions of three sites.
 * `lab/bench/retrieval.ts` prints how well it does on a site that it was not made from.
 */
type Calibration = { readonly weights: readonly number[]; readonly bias: number }

const BY_WORDS: Calibration = { weights: [1.7, 0.81, 2.58, 1.47, 1.12, -1.73], bias: -4.02 }
const BY_WORDS_AND_MEANING: Calibration = {
  weights: [1.92, 0.88, 2.2, 1.31, 0.9, -1.62, 4.93, 0.35, 0.65, 4.84],
  bias: -8.11,
}

export function likelihoodOf(signals: readonly number[]): number {
  const { weights, bias } =
    signals.length === BY_WORDS.weights.length ? BY_WORDS : BY_WORDS_AND_MEANING
  const sum = signals.reduce((total, signal, at) => total + signal * (weights[at] ?? 0), bias)
  return 1 / (1 + Math.exp(-sum))
}
