/**
 * Estimates how likely the documentation answers a question, from these signals: the share of its
 * words, weighted by rarity, that appear in the site, the best sections and the best pages; whether
 * it
 * names something that the site does not mention; and, with vectors, how close the nearest sections
 * are
 * and whether lexical and semantic search agree.
 *
 * The weights come from a logistic regression over 300 labeled questions of three sites.
 * `lab/bench/retrieval.ts` prints the accuracy on a site that was not used for training.
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
