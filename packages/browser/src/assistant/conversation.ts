/**
 * A reader's conversation with the assistant: sends questions, then shows and stores the answers.
 */

import type { Site } from '@octavo/theme/answers'
import { type AssistantClient, Fault, FIRST_PART_MS } from './assistant-client.ts'
import { element, icon } from './elements.ts'
import type { Thread, ThreadStore, Turn } from './kept-threads.ts'
import type { AnswerPart } from './read-parts.ts'
import { Sentences } from './sentences.ts'
import { TurnView } from './turn-view.ts'
import { words } from './words.ts'

export type About = { readonly page: string | undefined; readonly selection: string | undefined }

export type ConversationDeps = {
  readonly client: AssistantClient
  readonly kept: ThreadStore
  readonly site: Site
  /** The live region for screen readers. */
  readonly spoken: HTMLElement
  readonly copy: (button: HTMLElement, text: string) => void
  /** Called when answering a question starts or ends. */
  readonly onBusy: () => void
}

export class Conversation {
  readonly root = element('div', { className: 'talk', tabIndex: -1 })
  readonly #deps: ConversationDeps
  #thread: Thread = newThread()
  #asking: AbortController | undefined

  constructor(deps: ConversationDeps) {
    this.#deps = deps
    this.start()
  }

  get isBusy(): boolean {
    return this.#asking !== undefined
  }

  get isEmpty(): boolean {
    return this.#thread.turns.length === 0
  }

  /** Starts an empty conversation with suggested questions. */
  start(): void {
    this.stop()
    this.#thread = newThread()
    const starters = element('div', { className: 'starters' })
    const hello = element(
      'div',
      { className: 'hello' },
      element('span', { className: 'tile' }, icon('ask', 20)),
      element('h3', {}, words.askHello),
      element('p', {}, words.askHelloAbout),
      starters,
    )
    this.root.replaceChildren(hello)
    this.#deps.client.starters().then(
      (questions) => {
        if (questions.length === 0) return
        const buttons = questions.map((question) => {
          const face = element('span', { dir: 'auto' }, question)
          const button = element('button', { type: 'button' }, icon('chat', 14), face)
          button.onclick = () => void this.ask(question, currentPageOnly)
          return button
        })
        starters.append(element('h4', {}, words.askStarters), ...buttons)
      },
      // Readers can ask without suggestions, so the error is only shown when they do.
      () => undefined,
    )
  }

  /** Opens an earlier conversation. */
  open(thread: Thread): void {
    this.stop()
    this.#thread = thread
    this.root.replaceChildren()
    for (const turn of thread.turns) {
      // The reader left the page before this answer was complete.
      if (turn.status === 'asking') turn.status = 'stopped'
      this.#show(turn, currentPageOnly)
    }
    this.root.scrollTop = this.root.scrollHeight
  }

  openLast(): void {
    const [last] = this.#deps.kept.read()
    if (last !== undefined) this.open(last)
  }

  stop(): void {
    this.#asking?.abort()
  }

  save(): void {
    this.#deps.kept.keep(this.#thread)
  }

  async ask(question: string, about: About): Promise<void> {
    this.stop()
    const turn: Turn = {
      question,
      text: '',
      steps: [],
      sources: [],
      nearest: [],
      status: 'asking',
    }
    if (this.isEmpty) this.root.replaceChildren()
    this.#thread.turns.push(turn)
    const view = this.#show(turn, about)
    await this.#run(turn, { view, about })
  }

  #show(turn: Turn, about: About): TurnView {
    const { client, site, copy } = this.#deps
    const view: TurnView = new TurnView(turn, {
      site,
      copy,
      copyLabel: words.copy,
      retry: () => {
        const { turns } = this.#thread
        turns.splice(turns.indexOf(turn), 1)
        view.root.remove()
        void this.ask(turn.question, about)
      },
      rate: async (helpful, reason, note) => {
        const { id = '', token = '' } = turn.conversation ?? {}
        this.save()
        await client.rate({ conversation: id, token, helpful, reason, note })
      },
    })
    this.root.append(view.root)
    // Scrolls the question to the top, so that the reader can follow the answer that grows below
    // it.
    view.root.scrollIntoView({ block: 'start' })
    return view
  }

  async #run(
    turn: Turn,
    { view, about }: { readonly view: TurnView; readonly about: About },
  ): Promise<void> {
    const { client, spoken, onBusy } = this.#deps
    const control = new AbortController()
    this.#asking = control
    onBusy()
    const sentences = new Sentences(spoken)
    sentences.say(words.searchLoading)
    const waiting = setTimeout(() => sentences.say(words.tryWaiting), FIRST_PART_MS)
    let isShowing = false
    const show = () => {
      isShowing = false
      view.show()
      // Excerpts are not announced as a whole: only their titles are.
      if (turn.status !== 'unanswered' || turn.matches === undefined)
        sentences.follow(turn.text, turn.status !== 'asking')
    }
    const give = (part: AnswerPart) => {
      clearTimeout(waiting)
      if (part.type === 'text-delta') turn.text += part.delta
      else if (part.type === 'data-step') turn.steps.push(part.data)
      if (isShowing) return
      isShowing = true
      requestAnimationFrame(() => turn.status === 'asking' && show())
    }
    try {
      const { turns } = this.#thread
      const before = turns.slice(0, -1).filter(({ text }) => text !== '')
      const ended = await client.ask(
        {
          thread: this.#thread.id,
          texts: [...before.flatMap(({ question, text }) => [question, text]), turn.question],
          ...about,
        },
        { signal: control.signal, give },
      )
      turn.text = ended.text ?? turn.text
      Object.assign(turn, {
        sources: ended.sources,
        nearest: ended.nearest,
        matches: ended.matches,
        missing: ended.missing,
        conversation: ended.conversation,
        status: ended.status,
      })
      if (ended.reason === 'provider-error' || ended.reason === 'interrupted')
        turn.status = 'failed'
    } catch (error) {
      if (control.signal.aborted) turn.status = 'stopped'
      else turn.status = error instanceof Fault ? error.kind : 'failed'
    }
    clearTimeout(waiting)
    if (this.#asking === control) this.#asking = undefined
    show()
    this.#sayEnd(turn, sentences)
    this.save()
    onBusy()
  }

  #sayEnd(turn: Turn, sentences: Sentences): void {
    const { status, sources, nearest, matches = [] } = turn
    const isMatched = status === 'unanswered' && matches.length > 0
    const unanswered = isMatched ? matches : nearest
    const list = status === 'unanswered' ? unanswered : sources
    const title = status === 'unanswered' ? words.askNearest : words.askSources
    const ends: Readonly<Record<string, string>> = {
      unanswered: isMatched ? words.askMatches : words.askNone,
      stopped: words.tryCancelled,
      busy: words.askBusy,
      offline: words.askOffline,
      failed: words.askFailed,
    }
    sentences.say(ends[status] ?? '')
    if (list.length > 0) sentences.say(`${title}: ${list.map((one) => one.title).join(', ')}`)
  }
}

const currentPageOnly: About = { page: location.pathname, selection: undefined }

function newThread(): Thread {
  // `randomUUID` is only available in a secure context. This ID need not be secret.
  const numbers = crypto.getRandomValues(new Uint32Array(4))
  return { id: [...numbers].map((number) => number.toString(36)).join('-'), turns: [] }
}
