import type { Pair } from '../code-samples/sample-request.ts'
import type { SampleProblem } from './recorded-request.ts'

const SHOWN_MAX = 120

/** Compares names with their values. Their order does not matter, but their number does. */
export function comparePairs(
  place: string,
  { documented, sent }: { readonly documented: readonly Pair[]; readonly sent: readonly Pair[] },
): readonly SampleProblem[] {
  const rest = [...sent]
  const missing = documented.filter(([name, value]) => {
    const at = rest.findIndex((pair) => pair[0] === name && pair[1] === value)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
  return [
    ...missing.map(([name, value]) => {
      const at = rest.findIndex((pair) => pair[0] === name)
      const [other] = at === -1 ? [] : rest.splice(at, 1)
      return different(`${place}.${name}`, value, other?.[1])
    }),
    ...rest.map(([name, value]) => different(`${place}.${name}`, undefined, value)),
  ]
}

/** Describes a part of a request that is not as documented. */
export function different(
  place: string,
  documented: string | undefined,
  sent: string | undefined,
): SampleProblem {
  const hint = 'Correct the sample, or the specification if the sample is right.'
  if (documented === undefined) {
    const reason = `The request has ${show(sent ?? '')}, but the documented request has none.`
    return { place, reason, hint }
  }
  const reason =
    sent === undefined
      ? `The request has none, but the documented request has ${show(documented)}.`
      : `The request has ${show(sent)}, but the documented request has ${show(documented)}.`
  return { place, reason, hint }
}

function show(text: string): string {
  const cut = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
  return `\`${cut}\``
}
