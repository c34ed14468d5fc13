/** Written by `npm run lab bench/answers -- <questions> <sites> <model folder> --write`. */
import type { RankingWeights } from './answer-likelihood.ts'

/** For questions that are compared by words only. */
export const WORDS_WEIGHTS: RankingWeights = {
  sections: {
    indexed: 1.186,
    bm25: 2.428,
    page: 0.496,
    coverage: 0.865,
    best: 3.976,
    title: 0.744,
    heading: 0.361,
    path: 0.062,
    pairs: 1.4,
    number: 0.997,
    limit: 0.113,
    operation: -3.375,
    intro: 0.764,
    length: -0.096,
    meaning: 0,
  },
  answers: {
    shown: 2.285,
    best: 1.279,
    label: 0.861,
    chance: 4.445,
    lead: -0.26,
    unknownName: -1.002,
    words: 1.622,
    path: -0.15,
    pairs: 0.558,
    number: 0.358,
    prose: -0.233,
    bias: -5.06,
  },
}

/** For questions that are also compared by vectors. */
export const MEANING_WEIGHTS: RankingWeights = {
  sections: {
    indexed: 1.538,
    bm25: 0.962,
    page: 0.654,
    coverage: -0.13,
    best: 3.879,
    title: 0.162,
    heading: 0.548,
    path: 0.205,
    pairs: 1.291,
    number: 0.676,
    limit: 0.423,
    operation: -2.538,
    intro: 1.182,
    length: 0.029,
    meaning: 0.517,
  },
  answers: {
    shown: 2.946,
    best: 1.07,
    label: -1.467,
    chance: 3.763,
    lead: -0.111,
    unknownName: -1.823,
    words: 1.361,
    path: -2.011,
    pairs: 1.137,
    number: 0.028,
    prose: -0.371,
    bias: -3.678,
  },
}
