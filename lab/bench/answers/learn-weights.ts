/** Learns weights of signals by gradient descent, which is deterministic. */

export type Row = { readonly signals: readonly number[]; readonly isRight: boolean }

/** The weights of the unscaled signals, and the constant term. */
export type Learned = { readonly weights: readonly number[]; readonly bias: number }

const STEPS = 400
const RATE = 0.3

/**
 * Learns to rank a right row first in each list. It maximizes the likelihood of the right rows, and
 * ignores lists without a right row.
 */
export function learnOrder(lists: readonly (readonly Row[])[], decay: number): Learned {
  const useful = lists.filter((list) => list.some(({ isRight }) => isRight))
  const scale = scaleOf(useful.flat())
  const scaled = useful.map((list) => list.map((row) => ({ ...row, signals: scale.apply(row) })))
  const weights = descend(scale.size, decay, (at, gradient) => {
    for (const list of scaled) {
      const scores = list.map(({ signals }) => dot(signals, at))
      const most = Math.max(...scores)
      const parts = scores.map((score) => Math.exp(score - most))
      const total = sum(parts)
      const right = sum(parts.filter((_, place) => list[place]?.isRight))
      for (const [place, { signals, isRight }] of list.entries()) {
        const part = parts[place] ?? 0
        add(gradient, signals, (part / total - (isRight ? part / right : 0)) / scaled.length)
      }
    }
  })
  return scale.restore(weights, 0)
}

/** Learns the likelihood that a row is right (logistic regression). */
export function learnLikelihood(rows: readonly Row[], decay: number): Learned {
  const scale = scaleOf(rows)
  // The constant term is a signal that is always 1 and does not decay.
  const scaled = rows.map((row) => ({ ...row, signals: [...scale.apply(row), 1] }))
  const weights = descend(scale.size + 1, decay, (at, gradient) => {
    for (const { signals, isRight } of scaled) {
      const likelihood = 1 / (1 + Math.exp(-dot(signals, at)))
      add(gradient, signals, (4 * (likelihood - (isRight ? 1 : 0))) / scaled.length)
    }
  })
  return scale.restore(weights.slice(0, -1), weights.at(-1) ?? 0)
}

function descend(
  size: number,
  decay: number,
  addGradient: (weights: readonly number[], gradient: number[]) => void,
): readonly number[] {
  const weights = new Array<number>(size).fill(0)
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight) => decay * weight)
    addGradient(weights, gradient)
    for (const [at, slope] of gradient.entries()) weights[at] = (weights[at] ?? 0) - RATE * slope
  }
  return weights
}

/** Scales all signals to mean 0 and standard deviation 1, so that decay affects them equally. */
function scaleOf(rows: readonly Row[]) {
  const size = rows[0]?.signals.length ?? 0
  const places = Array.from({ length: size }, (_, at) => at)
  const means = places.map((at) => sum(rows.map(({ signals }) => signals[at] ?? 0)) / rows.length)
  const deviations = places.map((at) => {
    const squares = rows.map(({ signals }) => ((signals[at] ?? 0) - (means[at] ?? 0)) ** 2)
    return Math.sqrt(sum(squares) / rows.length) || 1
  })
  return {
    size,
    apply: ({ signals }: Row) =>
      signals.map((signal, at) => (signal - (means[at] ?? 0)) / (deviations[at] ?? 1)),
    restore: (weights: readonly number[], bias: number): Learned => {
      const own = weights.map((weight, at) => weight / (deviations[at] ?? 1))
      return { weights: own, bias: bias - dot(own, means) }
    },
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  let total = 0
  for (let at = 0; at < a.length; at += 1) total += (a[at] ?? 0) * (b[at] ?? 0)
  return total
}

function add(target: number[], signals: readonly number[], times: number): void {
  for (let at = 0; at < signals.length; at += 1)
    target[at] = (target[at] ?? 0) + (signals[at] ?? 0) * times
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
