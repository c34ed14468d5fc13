/** Quantizes a vector to 8 bits. Only its direction matters, so it is scaled to the full range. */
export function roundVector(values: ArrayLike<number>): Int8Array {
  let most = Number.MIN_VALUE
  for (let at = 0; at < values.length; at += 1) most = Math.max(most, Math.abs(values[at] ?? 0))
  return Int8Array.from(values, (value) => Math.round((value * 127) / most))
}
