/** One question with its answer, and the reader's actions on it. */

import { safeLink } from '@octavo/theme/answers'
import { fillWords } from '@octavo/theme/browser'
import { element, type IconName, icon, iconButton } from './elements.ts'
import type { Turn } from './kept-threads.ts'
import { type AnswerContext, AnswerView, pageLink, type Source } from './render-answer.ts'
import { words } from './words.ts'

export type TurnActions = AnswerContext & {
  readonly retry: () => void
  readonly rate: (isHelpful: boolean, reason?: string, note?: string) => Promise<void>
}

/** The service's English text for questions without an answer if it has no model. */
const UNANSWERED_TEXT = 'The documentation does not answer this.'

const NOTE_LENGTH_MAX = 1_000

const REASONS = {
  incorrect: words.askIncorrect,
  incomplete: words.askIncomplete,
  'off-topic': words.askOffTopic,
  outdated: words.askOutdated,
  other: words.askOther,
}

export class TurnView {
  readonly root = element('div', { className: 'turn' })
  readonly #turn: Turn
  readonly #actions: TurnActions
  readonly #did = element('details', { className: 'did', open: true })
  readonly #answer: AnswerView
  /** The notice that there is no answer, shown above the text. */
  readonly #none = element('div')
  readonly #end = element('div', { className: 'end' })

  constructor(turn: Turn, actions: TurnActions) {
    this.#turn = turn
    this.#actions = actions
    this.#answer = new AnswerView(actions)
    const question = element('p', { className: 'me', dir: 'auto', textContent: turn.question })
    this.root.append(question, this.#did, this.#none, this.#answer.root, this.#end)
    this.show()
  }

  show(): void {
    const { text, sources, status } = this.#turn
    const isAsking = status === 'asking'
    this.#showSteps(isAsking)
    const isNone = status === 'unanswered'
    const said = isNone && text.trim() === UNANSWERED_TEXT ? '' : text
    this.#answer.root.classList.toggle('asking', isAsking && text !== '')
    this.#answer.show(said, sources)
    if (isNone) this.#none.replaceChildren(box(words.askNone, this.#answer.root))
    if (isAsking) this.#end.replaceChildren()
    else this.#showEnd()
  }

  #showSteps(isAsking: boolean): void {
    const { steps } = this.#turn
    const reads = steps.filter(({ tool }) => tool === 'read')
    const summary = element(
      'summary',
      {},
      icon(isAsking ? 'spin' : 'search', 14),
      isAsking && this.#turn.text === ''
        ? words.searchLoading
        : [
            fillWords(words.askSearched, { count: steps.length - reads.length }),
            ...(reads.length > 0 ? [fillWords(words.askRead, { count: reads.length })] : []),
          ].join(' · '),
      steps.length > 0 && icon('next', 12),
    )
    const rows = steps.map(({ tool, of }) =>
      tool === 'read'
        ? element('li', {}, icon('page', 12), element('b', { dir: 'auto' }, pageTitle(of)))
        : element('li', {}, icon('search', 12), element('span', { dir: 'auto' }, `“${of}”`)),
    )
    this.#did.hidden = !isAsking && steps.length === 0
    // Steps are expanded while the answer is generated, and collapsed afterwards.
    const wasAsking = this.root.dataset.asking === ''
    if (isAsking) this.root.dataset.asking = ''
    else delete this.root.dataset.asking
    if (wasAsking && !isAsking) this.#did.open = false
    else if (!(wasAsking || isAsking) && this.#did.childElementCount === 0) this.#did.open = false
    this.#did.replaceChildren(summary, element('ul', {}, ...rows))
  }

  #showEnd(): void {
    const { status, sources, nearest, text } = this.#turn
    const notice = noticeOf(status)
    const isNone = status === 'unanswered'
    this.#end.replaceChildren(
      ...(notice === undefined ? [] : [box(notice)]),
      ...(sources.length === 0 ? [] : [this.#sourceList(words.askSources, sources, true)]),
      ...(isNone && nearest.length > 0 ? [this.#sourceList(words.askNearest, nearest, false)] : []),
      this.#buttons(text),
    )
  }

  #sourceList(title: string, sources: readonly Source[], isCited: boolean): HTMLElement {
    const { site } = this.#actions
    const rows = sources.flatMap((source, index) => {
      const link = safeLink(source.url, site)
      if (link === undefined) return []
      const [name = '', ...way] = source.title.split(' › ')
      const mark = isCited
        ? element('span', { className: 'cite' }, String(index + 1))
        : element('span', { className: 'tile' }, icon('page', 14))
      const row = pageLink(
        link.href,
        mark,
        element('b', { dir: 'auto' }, name),
        element('small', { dir: 'auto' }, way.join(' › ') || (link.host ?? link.href)),
        icon(isCited ? 'source' : 'next', 14),
      )
      return [element('li', {}, row)]
    })
    return element(
      'section',
      { className: 'sources' },
      element('h3', {}, title),
      element('ol', {}, ...rows),
    )
  }

  #buttons(text: string): HTMLElement {
    const { copy, retry } = this.#actions
    const { conversation, rating } = this.#turn
    const row = element('div', { className: 'rate' })
    const thumb = (isHelpful: boolean, label: string, drawing: IconName) => {
      const button = iconButton(label, drawing, () => this.#rate(isHelpful))
      button.ariaPressed = String(rating === isHelpful)
      return button
    }
    if (conversation !== undefined)
      row.append(thumb(true, words.askGood, 'good'), thumb(false, words.askBad, 'bad'))
    if (text !== '') row.append(iconButton(words.askCopy, 'copy', (button) => copy(button, text)))
    row.append(iconButton(words.searchRetry, 'retry', retry))
    return row
  }

  #rate(isHelpful: boolean): void {
    this.#turn.rating = isHelpful
    this.#showEnd()
    const button = this.#end.querySelector<HTMLElement>('[aria-pressed=true]')
    button?.focus()
    if (isHelpful) {
      this.#thank(true)
      return
    }
    const choices = Object.entries(REASONS).map(([reason, label]) => {
      const choice = element('button', { type: 'button' }, label)
      choice.onclick = () => {
        this.#thank(false, reason)
        why.replaceChildren(this.#noteForm(reason, why))
        why.querySelector('input')?.focus()
      }
      return choice
    })
    const why = element('div', { className: 'why', role: 'group', ariaLabel: words.askWhy })
    why.append(element('p', {}, words.askWhy), element('div', {}, ...choices))
    this.#end.append(why)
    why.scrollIntoView({ block: 'nearest' })
  }

  /** The reason was already sent; the reader may add a comment. */
  #noteForm(reason: string, why: HTMLElement): HTMLElement {
    const label = REASONS[reason as keyof typeof REASONS]
    const field = element('input', { maxLength: NOTE_LENGTH_MAX, ariaLabel: label, dir: 'auto' })
    field.placeholder = `${label} …`
    const send = element('button', {}, words.trySend)
    const form = element('form', {}, field, send)
    form.onsubmit = (event) => {
      event.preventDefault()
      const note = field.value.trim()
      why.remove()
      this.#end.querySelector<HTMLElement>('[aria-pressed=true]')?.focus()
      if (note !== '') this.#thank(false, reason, note)
    }
    return form
  }

  #thank(isHelpful: boolean, reason?: string, note?: string): void {
    const line = element('span', { role: 'status' })
    this.#end.querySelector('.rate [role=status]')?.remove()
    this.#end.querySelector('.rate')?.append(line)
    this.#actions.rate(isHelpful, reason, note).then(
      () => {
        line.textContent = words.askThanks
      },
      () => {
        line.textContent = words.askBusy
      },
    )
  }
}

function noticeOf(status: Turn['status']): string | undefined {
  const notices: Partial<Record<Turn['status'], string>> = {
    stopped: words.tryCancelled,
    busy: words.askBusy,
    offline: words.askOffline,
    failed: words.askFailed,
  }
  return notices[status]
}

function box(text: string, more?: HTMLElement): HTMLElement {
  const said = element('div', {}, element('b', {}, text), more)
  return element('div', { className: 'none' }, icon('none'), said)
}

/** The page's title in the sidebar, or the URL itself. */
function pageTitle(address: string): string {
  const [path = ''] = address.split('#')
  const links = document.querySelectorAll<HTMLAnchorElement>('.oct-sidebar a')
  const link = [...links].find(({ pathname }) => pathname.endsWith(path))
  return link?.textContent || address
}
