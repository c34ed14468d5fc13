import { VERSION } from '@octavo/model/version'
import type { LanguageId } from '@octavo/openapi'
import type { FoundRuntime } from './runtimes.ts'
import type { SampleResult } from './sample-list.ts'

export type ProofInput = {
  readonly results: readonly SampleResult[]
  readonly runtimes: ReadonlyMap<LanguageId, FoundRuntime>
  readonly date: Date
}

/** Prints results as `octavo-proof/1`. On the same machine, only the date differs between two runs. */
export function printProof({ results, runtimes, date }: ProofInput): string {
  const proof = {
    format: 'octavo-proof/1',
    octavo: VERSION,
    date: date.toISOString(),
    runtimes: runtimeNames(runtimes).toSorted(),
    samples: results.map(proofOf),
  }
  return `${JSON.stringify(proof, null, 2)}\n`
}

/** Returns the names of the runtimes that were found, each once. */
export function runtimeNames(runtimes: ReadonlyMap<LanguageId, FoundRuntime>): readonly string[] {
  const found = [...runtimes.values()].flatMap((one) => (typeof one === 'string' ? [] : one.name))
  return [...new Set(found)]
}

/** Omits what a program printed, because it can contain secrets. */
function proofOf({
  place,
  pages,
  operation,
  language,
  isWritten,
  sha256,
  ...result
}: SampleResult) {
  const { outcome, reason, problems } = result
  return {
    specification: place.file,
    operation,
    pages: pages.map(({ path }) => path),
    language,
    origin: isWritten ? 'x-codeSamples' : 'generated',
    sha256,
    outcome,
    ...(reason !== undefined && { reason }),
    ...(problems.length > 0 && { problems }),
  }
}
