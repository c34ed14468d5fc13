/** Reads the documents that a hosted specification refers to. */
import { parseSpecification, type ReadFile } from '@octavo/openapi'
import { isMarkup } from './fetch-specifications.ts'
import { describeOutcome, notASpecification } from './hosted-diagnostics.ts'
import { HostedSpecifications } from './hosted-specifications.ts'
import type { SpecificationFetcher, SpecificationOutcome } from './specification-fetcher.ts'

/** Returns the text of a document, or the reason why it cannot be used. */
export function textOfPart(url: string, outcome: SpecificationOutcome): ReturnType<ReadFile> {
  if (!('text' in outcome)) return describeOutcome(url, outcome)
  const [problem] = isMarkup(outcome.text) ? notASpecification(url, outcome.text) : []
  return problem ?? outcome.text
}

/** Fetches all documents that a hosted specification refers to, and returns how to read them. */
export async function fetchParts(
  url: string,
  text: string,
  fetcher: SpecificationFetcher,
): Promise<ReadFile> {
  const hosted = new HostedSpecifications()
  const read: ReadFile = (part) => {
    const outcome = hosted.outcome(part, true)
    return outcome && textOfPart(part, outcome)
  }
  for (;;) {
    parseSpecification(url, text, { read, skipsExamples: true })
    if (hosted.unfetched.length === 0) return read
    await hosted.fetch(fetcher)
  }
}
