/** Shows one question with its answer, and the buttons for the answer. */

import { safeLink } from '@octavo/theme/answers'
import { fillWords } from '@octavo/theme/browser'
import { element, type IconName, icon, iconButton } from './elements.ts'
import type { Turn } from './kept-threads.ts'
import {
  type AnswerContext,
  AnswerView,
  type Match,
  pageLink,
  type Source,
} from './render-answer.ts'
import { words } from './words.ts'

export type TurnActions = AnswerContext & {
  readonly retry: () => void
  readonly rate: (isHelpful: boolean, reason?: string, note?: string) => Promise<void>
}

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
  /** The notice above the text if there is no answer. */
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
    const { text, sources, status, matches = [], missing = [] } = this.#turn
    const isAsking = status === 'asking'
    this.#showSteps(isAsking)
    const isNone = status === 'unanswered'
    // Without a model, the text repeats what the notice and the excerpts show.
    const said = isNone && this.#isQuoted ? '' : text
    const root = this.#answer.root
    root.classList.toggle('asking', isAsking && text !== '')
    root.classList.toggle('quote', this.#isQuoted && said !== '')
    root.hidden = said === ''
    this.#answer.show(said, sources)
    const names = missing.map((name) => `“${name}”`).join(', ')
    const missed = fillWords(words.askMissing, { names })
    const about = names === '' ? root : element('p', { dir: 'auto' }, missed)
    if (isNone && matches.length === 0) this.#none.replaceChildren(box(words.askNone, about))
    else if (said !== '' && this.#isQuoted)
      this.#none.replaceChildren(element('h3', {}, words.askQuoted))
    if (isAsking) this.#end.replaceChildren()
    else this.#showEnd()
  }

  /** True if the text is quoted from the documentation and not written by a model. */
  get #isQuoted(): boolean {
    return this.#turn.matches !== undefined
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
    // Steps are expanded while the answer is generated, and collapsed when it is complete.
    const wasAsking = this.root.dataset.asking === ''
    if (isAsking) this.root.dataset.asking = ''
    else delete this.root.dataset.asking
    if (wasAsking && !isAsking) this.#did.open = false
    else if (!(wasAsking || isAsking) && this.#did.childElementCount === 0) this.#did.open = false
    this.#did.replaceChildren(summary, element('ul', {}, ...rows))
  }

  #showEnd(): void {
    const { status, sources, nearest, matches = [] } = this.#turn
    const notice = noticeOf(status)
    const isNone = status === 'unanswered'
    const hasNearest = isNone && matches.length === 0 && nearest.length > 0
    this.#end.replaceChildren(
      ...(notice === undefined ? [] : [box(notice)]),
      ...(sources.length === 0 ? [] : [this.#sourceList(words.askSources, sources, true)]),
      ...(hasNearest ? [this.#sourceList(words.askNearest, nearest, false)] : []),
      ...(matches.length === 0 ? [] : [this.#matchList(matches, isNone)]),
      this.#buttons(),
    )
  }

  /** Lists sections that match the question. Below an answer, the list is collapsed. */
  #matchList(matches: readonly Match[], isOpen: boolean): HTMLElement {
    const { site } = this.#actions
    const cards = matches.flatMap(({ url, title, text }) => {
      const link = safeLink(url, site)
      if (link === undefined) return []
      const way = title.split(' › ')
      const name = element('b', { dir: 'auto' }, way.pop() ?? '')
      const above = element('small', { dir: 'auto' }, way.join(' › '))
      const excerpt = new AnswerView(this.#actions)
      excerpt.show(text, [])
      return [
        element(
          'article',
          { className: 'match' },
          pageLink(link.href, above, name, icon('next', 14)),
          excerpt.root,
        ),
      ]
    })
    if (isOpen)
      return element('div', { className: 'matches' }, element('h3', {}, words.askMatches), ...cards)
    const title = `${words.askMoreMatches} (${cards.length})`
    return element(
      'details',
      { className: 'matches' },
      element('summary', {}, icon('next', 12), title),
      ...cards,
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

  #buttons(): HTMLElement {
    const { copy, retry } = this.#actions
    const { conversation, rating, matches = [], status } = this.#turn
    const excerpts = matches.map((match) => match.text).join('\n\n')
    const text = status === 'unanswered' && excerpts !== '' ? excerpts : this.#turn.text
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

  /** Creates a form for a comment. The reason for the rating has already been sent. */
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

function box(text: string, more?: Node): HTMLElement {
  const said = element('div', {}, element('b', {}, text), more)
  return element('div', { className: 'none' }, icon('none'), said)
}

/** Returns the page's title in the sidebar, or else the URL. */
function pageTitle(address: string): string {
  const [path = ''] = address.split('#')
  const links = document.querySelectorAll<HTMLAnchorElement>('.oct-sidebar a')
  const link = [...links].find(({ pathname }) => pathname.endsWith(path))
  return link?.textContent || address
}
