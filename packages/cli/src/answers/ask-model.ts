/** Asks a model labeled questions, as the hosted assistant would ask it, and judges its answers. */
import {
  type AnswerFailure,
  createModelAnswerer,
  type ModelClient,
  promptSettings,
  type SiteSettings,
} from '@octavo/assistant'
import { ASSISTANT_LIMITS, type ModelSettings } from '@octavo/contract'
import {
  type Answerer,
  type AnswerOutcome,
  type FoundSection,
  hasPassage,
  type LabeledQuestion,
  type LibrarySection,
  type SiteLibrary,
  sourceOf,
} from '@octavo/search'
import { findUnsupported, type SentenceSupport } from './sentence-support.ts'

export type ModelResult = SentenceSupport & {
  readonly question: string
  readonly isAnswerable: boolean
  /** `declined` means that the model said so, or cited no source. */
  readonly status: 'answered' | 'declined' | 'failed'
  readonly failure: AnswerFailure['reason'] | undefined
  readonly text: string
  /** The sections that an answer cites, in the order of their numbers. */
  readonly cited: readonly CitedSection[]
  /** The number of citations of sources that do not exist. */
  readonly invented: number
  /** The time until the reader sees text; undefined without text. */
  readonly firstMs: number | undefined
  readonly totalMs: number
  readonly usage: AnswerOutcome['usage']
}

type CitedSection = {
  readonly url: string
  /**
   * True if the section has one of the question's passages or, if the question has no passages, is
   * on one of its pages.
   */
  readonly isRight: boolean
}

export type ModelAskerOptions = {
  readonly client: Pick<ModelClient, 'chat'>
  readonly model: ModelSettings
  readonly site: SiteSettings
  readonly library: SiteLibrary
  readonly now: () => number
  readonly answerMsMax?: number
}

/** Asks questions one after the other. */
export class ModelAsker {
  readonly #options: ModelAskerOptions
  readonly #answerer: Answerer
  #failure: AnswerFailure | undefined
  #isEstimated = false

  constructor(options: ModelAskerOptions) {
    this.#options = options
    const { client, model, site } = options
    this.#answerer = createModelAnswerer({
      client: { chat: (request, signal) => this.#watch(client.chat(request, signal)) },
      settings: promptSettings(model, site),
      report: (failure) => {
        this.#failure = failure
      },
    })
  }

  /** Why the last question that failed was not answered. */
  get failure(): AnswerFailure | undefined {
    return this.#failure
  }

  /** True if the server did not report the tokens of an answer, so that they are estimates. */
  get isEstimated(): boolean {
    return this.#isEstimated
  }

  async ask(labeled: LabeledQuestion): Promise<ModelResult> {
    const { library, now, answerMsMax = ASSISTANT_LIMITS.answerMs } = this.#options
    const texts = new Map<string, string>()
    const tooLong = new AbortController()
    const signal = AbortSignal.any([tooLong.signal, AbortSignal.timeout(answerMsMax)])
    const started = now()
    let firstMs: number | undefined
    let text = ''
    const give: Parameters<Answerer>[1]['give'] = async (part) => {
      if (part.type !== 'text') return
      firstMs ??= now() - started
      text += part.text
      if (text.length > ASSISTANT_LIMITS.answerLength) tooLong.abort()
    }
    const work = { library: recordTexts(library, texts), signal, give }
    this.#failure = undefined
    const outcome = await this.#answerer({ text: labeled.question, history: [] }, work).catch(
      (error: unknown) => {
        if (!signal.aborted) throw error
        const reason = tooLong.signal.aborted ? 'endless' : 'timeout'
        const message = `The answer took more than ${answerMsMax / 1_000} seconds, or had more than ${ASSISTANT_LIMITS.answerLength} characters.`
        this.#failure = { reason, message }
        return undefined
      },
    )
    const measured = { firstMs, totalMs: now() - started }
    return { ...judge({ labeled, outcome, text, texts, failure: this.#failure }), ...measured }
  }

  async *#watch(events: ReturnType<ModelClient['chat']>): ReturnType<ModelClient['chat']> {
    for await (const event of events) {
      if (event.type === 'end' && event.usage === undefined) this.#isEstimated = true
      yield event
    }
  }
}

type Asked = {
  readonly labeled: LabeledQuestion
  /** Undefined if the answer was stopped. */
  readonly outcome: AnswerOutcome | undefined
  readonly text: string
  readonly texts: ReadonlyMap<string, string>
  readonly failure: AnswerFailure | undefined
}

function judge({ labeled, outcome, text, texts, failure }: Asked) {
  const { question, pages, passages } = labeled
  const status = statusOf(outcome)
  const isAnswered = status === 'answered'
  const sources = isAnswered ? (outcome?.sources ?? []) : []
  const textOf = (url: string) => texts.get(url) ?? ''
  const isRight = (url: string) =>
    passages.length > 0 ? hasPassage(textOf(url), passages) : pages.has(url.replace(/#.*/, ''))
  const support = sources.map(({ url, title }) => `${title}\n${textOf(url)}`)
  return {
    question,
    isAnswerable: pages.size > 0,
    status,
    failure: status === 'failed' ? failure?.reason : undefined,
    text,
    cited: sources.map(({ url }) => ({ url, isRight: isRight(url) })),
    invented: outcome?.invented ?? 0,
    usage: outcome?.usage,
    ...findUnsupported(isAnswered ? text : '', support),
  }
}

const DECLINED = new Set(['declared', 'no-sources'])

function statusOf(outcome: AnswerOutcome | undefined): ModelResult['status'] {
  if (outcome?.status === 'answered') return 'answered'
  return outcome !== undefined && DECLINED.has(outcome.reason) ? 'declined' : 'failed'
}

/** Records the texts that the library returns by URL, since a model can only cite these. */
function recordTexts(library: SiteLibrary, texts: Map<string, string>): SiteLibrary {
  const record = (url: string, text: string) => {
    texts.set(url, `${texts.get(url) ?? ''}\n${text}`)
  }
  const recordSection = (section: LibrarySection) => record(sourceOf(section).url, section.text)
  const recordFound = (found: readonly FoundSection[]) =>
    found.forEach(({ section }) => {
      recordSection(section)
    })
  return {
    ...library,
    findContext: async (...input) => {
      const context = await library.findContext(...input)
      recordFound(context.found)
      return context
    },
    search: async (...input) => {
      const found = await library.search(...input)
      recordFound(found)
      return found
    },
    grep: async (...input) => {
      const sections = await library.grep(...input)
      sections.forEach(recordSection)
      return sections
    },
    read: async (url) => {
      const text = await library.read(url)
      if (text !== undefined) record(url, text)
      return text
    },
  }
}
