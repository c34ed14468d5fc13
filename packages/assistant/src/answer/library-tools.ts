/**
 * Tools with which a model can read the reader's library, but nothing else. Each answer has limits
 * for calls, tokens and time. Beyond them, the model has to answer with what it has read.
 */

import { cleanText } from '@octavo/model'
import { type AnswerPart, type LibrarySection, type SiteLibrary, sourceOf } from '@octavo/search'
import { z } from 'zod'
import type { ToolCall, ToolDescription } from '../models/chat.ts'
import { estimateTokens, truncateToTokens } from './count-tokens.ts'
import type { DataFence } from './data-fence.ts'
import type { SourceLedger } from './source-ledger.ts'

export const TOOL_LIMITS = {
  callsMax: 6,
  tokensMax: 12_000,
  /** The limit for all calls of one answer together. */
  msMax: 20_000,
  sectionsPerSearch: 5,
  sectionsPerGrep: 8,
  pagesPerList: 100,
  inputCharactersMax: 500,
} as const

type ToolName = Extract<AnswerPart, { type: 'step' }>['tool']

const TOOLS: Readonly<Record<ToolName, { description: string; input: string; means: string }>> = {
  search: {
    description: 'Finds the sections of the documentation that fit a question best.',
    input: 'query',
    means: 'Words of the question, in the language of the documentation',
  },
  read: {
    description: 'Reads a page of the documentation, or one section of it.',
    input: 'url',
    means: 'A path from the map, such as /guides/start or /guides/start#install',
  },
  grep: {
    description:
      'Finds sections that contain exactly this text: a name, an option, an error message.',
    input: 'text',
    means: 'The text as it is written',
  },
  list: {
    description: 'Lists the pages below a path from the map.',
    input: 'path',
    means: 'The beginning of their paths, such as /guides; / lists all',
  },
}

export const LIBRARY_TOOLS: readonly ToolDescription[] = Object.entries(TOOLS).map(
  ([name, { description, input, means }]) => ({
    name,
    description,
    parameters: {
      type: 'object',
      properties: { [input]: { type: 'string', description: means } },
      required: [input],
    },
  }),
)

type ToolOptions = {
  readonly library: SiteLibrary
  readonly ledger: SourceLedger
  readonly fence: DataFence
  readonly tokensMax: number
}

export class LibraryTools {
  readonly #library: SiteLibrary
  readonly #ledger: SourceLedger
  readonly #fence: DataFence
  #calls = 0
  #tokens: number
  #ms: number = TOOL_LIMITS.msMax

  constructor({ library, ledger, fence, tokensMax }: ToolOptions) {
    this.#library = library
    this.#ledger = ledger
    this.#fence = fence
    this.#tokens = Math.min(tokensMax, TOOL_LIMITS.tokensMax)
  }

  /** Runs a tool call. If the call is invalid, returns an error message for the model. */
  async run(call: ToolCall, onStep: (step: AnswerPart) => Promise<void>): Promise<string> {
    this.#calls += 1
    const limit = this.#limitReached()
    if (limit !== undefined)
      return `The limit of ${limit} is reached. Answer now with what you have read, or say that the documentation does not answer it.`
    const tool = (Object.keys(TOOLS) as ToolName[]).find((name) => name === call.name)
    if (tool === undefined)
      return `There is no tool "${this.#fence.clean(call.name).slice(0, 50)}". The tools are ${Object.keys(TOOLS).join(', ')}.`
    const { input } = TOOLS[tool]
    const given = readInput(call.arguments, input)
    if (given === undefined)
      return `Wrong arguments. ${tool} takes {"${input}": "text"} with at most ${TOOL_LIMITS.inputCharactersMax} characters.`
    await onStep({ type: 'step', tool, of: given })
    const started = performance.now()
    try {
      const result = truncateToTokens(
        await withinTime(this.#use(tool, given), this.#ms),
        this.#tokens,
      )
      this.#tokens -= estimateTokens(result)
      return result
    } catch {
      return 'The tool failed. Answer with what you have read.'
    } finally {
      this.#ms -= performance.now() - started
    }
  }

  #limitReached(): string | undefined {
    if (this.#calls > TOOL_LIMITS.callsMax) return `${TOOL_LIMITS.callsMax} calls`
    if (this.#tokens <= 0) return 'text to read'
    return this.#ms <= 0 ? `${TOOL_LIMITS.msMax / 1_000} seconds` : undefined
  }

  async #use(tool: ToolName, given: string): Promise<string> {
    switch (tool) {
      case 'search': {
        const found = await this.#library.search(given, TOOL_LIMITS.sectionsPerSearch)
        return this.#showSections(found.map(({ section }) => section))
      }
      case 'grep':
        return this.#showSections(
          await this.#library.grep(given, { limit: TOOL_LIMITS.sectionsPerGrep }),
        )
      case 'read':
        return this.#read(given)
      case 'list':
        return this.#list(given)
    }
  }

  #showSections(sections: readonly LibrarySection[]): string {
    const room = Math.floor(this.#tokens / Math.max(1, sections.length))
    const shown = sections.map((section) => {
      const source = sourceOf(section)
      const text = truncateToTokens(section.text, room)
      return this.#fence.wrap('source', { number: this.#ledger.show(source), ...source }, text)
    })
    return shown.length === 0 ? 'Nothing was found.' : shown.join('\n')
  }

  /**
   * Reads a page or a section of it. Whatever URL the model passes, only pages of the library can
   * be read.
   */
  async #read(given: string): Promise<string> {
    const address = URL.parse(given, 'https://site.invalid/')
    const path = address?.pathname.replace(/(?<=.)\/$/, '')
    const { page } = await this.#library.findPage(path ?? '')
    const url = page && `${page.url}${address?.hash ?? ''}`
    const text = url && (await this.#library.read(url))
    if (!text) return 'There is no such page or section. The map lists all pages.'
    const number = this.#ledger.show({ url, title: page.title })
    return this.#fence.wrap(
      'source',
      { number, url, title: page.title },
      truncateToTokens(text, this.#tokens),
    )
  }

  async #list(given: string): Promise<string> {
    const { pages, total } = await this.#library.pages({
      startsWith: given,
      limit: TOOL_LIMITS.pagesPerList,
    })
    const lines = pages.map(({ url, title }) => `${url} ${title}`)
    const rest = total - lines.length
    if (rest > 0) lines.push(`… and ${rest} more`)
    return lines.length === 0
      ? 'Nothing was found.'
      : this.#fence.wrap('pages', {}, lines.join('\n'))
  }
}

/** Rejects if the result takes too long. The work behind it is not stopped. */
async function withinTime<Result>(result: Promise<Result>, ms: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, ms, new Error(`no result within ${ms} ms`))
  try {
    return await Promise.race([result, promise])
  } finally {
    clearTimeout(timer)
  }
}

const Input = z.string().trim().min(1).max(TOOL_LIMITS.inputCharactersMax)

function readInput(text: string, name: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const given = typeof value === 'object' && value !== null ? Reflect.get(value, name) : value
    const parsed = Input.safeParse(given)
    return parsed.success ? cleanText(parsed.data) : undefined
  } catch {
    return undefined
  }
}
