/** Example requests and responses, for the column next to the text. */
import type { CodeNode, PageNode } from '@octavo/content'
import { SAMPLE_HASH_LENGTH } from '@octavo/model'
import {
  type Json,
  type MediaData,
  type OperationPage,
  type RequestSample,
  type ResponseData,
  requestSamples,
  type StatusData,
  sampleOf,
} from '@octavo/openapi'
import { fillWords } from '../words/fill-words.ts'
import { type ApiContext, component } from './api-context.ts'

/** Longer examples are truncated; the specification contains the full text. */
const EXAMPLE_LENGTH_MAX = 6_000
const EXAMPLES_MAX = 8

/** A body for each alternative that a reader can choose, with the titles of their tabs. */
export type BodyVariant = { readonly title: string; readonly value: Json }

export function requestExamples(
  page: OperationPage,
  context: ApiContext,
  variants: readonly BodyVariant[] = [],
): readonly PageNode[] {
  const tested = requestSamples(page, context, context.settings)
  const sources = new Set(tested.map(({ source }) => source))
  const nodeOf = ({ language, name, label, source }: RequestSample): CodeNode => {
    const node = code(language?.highlight ?? name.toLowerCase(), label, cut(source, context))
    // Samples for other alternatives of the body are not tested.
    const hash = sources.has(source) ? context.hash?.(source) : undefined
    if (language === undefined || hash === undefined) return node
    const sample = `${language.id} ${hash.slice(0, SAMPLE_HASH_LENGTH)}`
    return { ...node, options: { ...node.options, sample } }
  }
  const samplesOf = (bodyValue: Json) =>
    requestSamples(page, context, { ...context.settings, bodyValue }).map(nodeOf)
  const samples = tested.map(nodeOf)
  const dropdown = samples.length > 3
  const isGenerated = (page.samples ?? []).length === 0
  if (variants.length > 0 && samples.length > 0 && isGenerated) {
    // These tabs have the titles of the tabs in the body, so they show what is chosen there.
    const tabs = variants.map(({ title, value }, index) => {
      const group = component('CodeGroup', { dropdown }, samplesOf(value))
      return component('Tab', { title, id: `request-sample-${index + 1}` }, [group])
    })
    return [component('RequestExample', {}, [component('Tabs', { isFollowing: true }, tabs)])]
  }
  if (samples.length === 0) return []
  return [component('RequestExample', { dropdown }, samples)]
}

export function responseExamples(
  responses: readonly StatusData[],
  context: ApiContext,
): readonly PageNode[] {
  const blocks = responses.flatMap(({ status, response: written }) => {
    const response = followResponse(written, context)
    return (response?.content ?? []).slice(0, 1).flatMap((media) => {
      const examples = mediaExamples(media, 'response', context)
      return examples.map(({ name, value }) =>
        code(
          languageOf(media),
          examples.length > 1 ? `${status} ${name}` : status,
          cut(value, context),
        ),
      )
    })
  })
  if (blocks.length === 0) return []
  const shown = blocks.slice(0, EXAMPLES_MAX)
  return [component('ResponseExample', { dropdown: shown.length > 4 }, shown)]
}

export function followResponse(
  written: StatusData['response'],
  { part }: ApiContext,
): ResponseData | undefined {
  if (!('ref' in written)) return written
  const found = part(written.ref)
  return found?.kind === 'response' ? found.response : undefined
}

/** Returns the author's named examples, or a generated example if the author wrote no examples. */
export function mediaExamples(
  media: MediaData,
  direction: 'request' | 'response',
  context: ApiContext,
): readonly { readonly name: string; readonly value: string }[] {
  const named = (media.examples ?? []).flatMap((written) => {
    const part = 'ref' in written ? context.part(written.ref) : undefined
    const example = part?.kind === 'example' ? part.example : written
    if ('ref' in example || example.value === undefined) return []
    const name =
      example.summary ?? (written.name === 'example' ? context.words.example : written.name)
    return [{ name, value: print(example.value) }]
  })
  if (named.length > 0) return named
  const sample = sampleOf(media, direction, context)
  return sample === undefined ? [] : [{ name: context.words.example, value: print(sample) }]
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function languageOf({ type }: MediaData): string | undefined {
  if (/json|event-stream/i.test(type)) return 'json'
  return undefined
}

function code(language: string | undefined, title: string, text: string): CodeNode {
  return { kind: 'code', language, options: { title }, text }
}

function cut(text: string, { words }: ApiContext): string {
  const count = text.length - EXAMPLE_LENGTH_MAX
  if (count <= 0) return text
  return `${text.slice(0, EXAMPLE_LENGTH_MAX)}\n… ${fillWords(words.apiCut, { count })}`
}
