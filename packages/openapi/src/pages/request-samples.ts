import { findLanguage, type Language, type LanguageId } from '../code-samples/languages.ts'
import { printCodeSample } from '../code-samples/print-code-sample.ts'
import type { SampleRequest } from '../code-samples/sample-request.ts'
import type { Json } from '../document/spec-document.ts'
import type { PageContext } from './page-context.ts'
import type { OperationPage } from './page-data.ts'
import { type SampledParameters, sampleRequest } from './sample-request.ts'

export type SampleSettings = {
  /** Languages of generated samples, in order. */
  readonly languages: readonly LanguageId[]
  /** Which parameters the generated samples contain. */
  readonly parameters: SampledParameters
  /** Whether samples are generated if the specification has none. */
  readonly autogenerate: boolean
  /** The body of generated samples, instead of its example. */
  readonly bodyValue?: Json | undefined
}

/** A program on the page of an operation that sends a request. */
export type RequestSample = {
  /** Undefined for a language that we do not know. */
  readonly language: Language | undefined
  /** The language as written. */
  readonly name: string
  readonly label: string
  readonly source: string
  /** The request of a generated sample; undefined for one from `x-codeSamples`. */
  readonly request: SampleRequest | undefined
}

/** Returns the samples of `x-codeSamples`, or generated ones if the operation has none. */
export function requestSamples(
  page: OperationPage,
  context: PageContext,
  { languages, parameters, autogenerate, bodyValue }: SampleSettings,
): readonly RequestSample[] {
  const { samples = [] } = page
  if (samples.length > 0) {
    return samples.map(({ language: name, label, source }) => {
      const language = findLanguage(name)
      const shown = label ?? language?.label ?? name
      return { language, name, label: shown, source, request: undefined }
    })
  }
  if (page.kind === 'webhook' || !autogenerate) return []
  const request = sampleRequest({ page, ...context, parameters, bodyValue })
  return languages.flatMap((id) => {
    const language = findLanguage(id)
    if (language === undefined) return []
    const source = printCodeSample(id, request)
    return [{ language, name: id, label: language.label, source, request }]
  })
}
