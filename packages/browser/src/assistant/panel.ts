/**
 * The assistant's panel. It is next to the text if there is room, otherwise over the text, and a
 * sheet on phones. It is in a shadow root outside the body, so that the site's styles do not affect
 * it.
 */
import { copyText } from '../page/copy.ts'
import { AssistantClient } from './assistant-client.ts'
import { Composer, type Topic } from './composer.ts'
import { type About, Conversation } from './conversation.ts'
import { element, icon, iconButton } from './elements.ts'
import { createThreadStore } from './kept-threads.ts'
import { PAGE_STYLES, PANEL_STYLES } from './styles.ts'
import { words } from './words.ts'

export type Asked = {
  readonly question?: string
  /** True if the question came from the URL, which means that the reader has not asked it yet. */
  readonly isLinked?: boolean
  /** True if the panel was open on the previous page. */
  readonly isReturn?: boolean
  readonly opener?: HTMLElement
}

export type Panel = {
  readonly openPanel: (asked: Asked) => void
  readonly togglePanel: (opener?: HTMLElement) => void
}

const SELECTION_LENGTH_MAX = 4_000
const QUESTION_LENGTH_MAX = 4_000
const DONE_MS = 1_500
const SHEET = matchMedia('(width < 40rem)')
const OPEN_CLASS = 'oct-asking'

/** This script is at `<base>/_octavo/assistant/panel-….js`. */
const base = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')
const site = { origin: location.origin, base }
const page = document.documentElement
const host = document.createElement('octavo-assistant')
const root = host.attachShadow({ mode: 'open' })
const panel = element('section', { ariaLabel: words.askTitle })
const spoken = element('div', { className: 'spoken', ariaLive: 'polite' })
const kept = createThreadStore(base, () => localStorage)
let opener: Element | null = null

const conversation = new Conversation({
  client: new AssistantClient(base),
  kept,
  site,
  spoken,
  copy: (button, text) => void copyFrom(button, text),
  onBusy: () => update(),
})
const composer = new Composer({
  ask: (question) => void conversation.ask(question, currentTopic()),
  stop: () => conversation.stop(),
})
build()

export const openPanel: Panel['openPanel'] = ({ question = '', isLinked, isReturn, ...asked }) => {
  show(asked.opener)
  const text = question.slice(0, QUESTION_LENGTH_MAX).trim()
  if (isReturn) {
    conversation.openLast()
    update()
  } else composer.field.focus()
  // A question from a link is not sent automatically, because every answer has a cost.
  if (isLinked) {
    composer.field.value = text
    composer.update(false)
  } else if (text !== '') void conversation.ask(text, currentTopic())
}

export const togglePanel: Panel['togglePanel'] = (from) => {
  if (host.hidden || !host.isConnected) openPanel(from === undefined ? {} : { opener: from })
  else close()
}

function build(): void {
  const [looks, pageLooks] = [new CSSStyleSheet(), new CSSStyleSheet()]
  looks.replaceSync(PANEL_STYLES)
  pageLooks.replaceSync(PAGE_STYLES)
  root.adoptedStyleSheets = [looks]
  document.adoptedStyleSheets.push(pageLooks)
  const head = element('header', {}, icon('ask'), element('h2', {}, words.askTitle))
  const begin = () => {
    conversation.start()
    composer.topic = { kind: 'page' }
    update()
    composer.field.focus()
  }
  head.append(
    iconButton(words.askEarlier, 'history', showHistory),
    iconButton(words.askNew, 'new', begin),
    iconButton(words.close, 'close', close),
  )
  panel.append(head, conversation.root, composer.root, spoken)
  const shade = element('div', { className: 'shade', onclick: close })
  root.append(shade, panel)
  // The panel is outside the body: the page then does not move, and the sheet can make the body
  // inert.
  host.hidden = true
  page.append(host)
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape') return
    event.preventDefault()
    close()
  })
  document.addEventListener('selectionchange', trackSelection)
  addEventListener('scroll', place, { passive: true })
  addEventListener('resize', place, { passive: true })
  addEventListener('pagehide', () => conversation.save())
  SHEET.addEventListener('change', place)
  addCodeButtons()
}

function show(from: HTMLElement | undefined): void {
  opener = from ?? document.activeElement
  host.hidden = false
  page.classList.add(OPEN_CLASS)
  remember('open')
  trackSelection()
  place()
  update()
}

function close(): void {
  host.hidden = true
  page.classList.remove(OPEN_CLASS)
  document.body.inert = false
  remember('')
  const button = document.querySelector<HTMLElement>('.oct-ask')
  if (button !== null) button.ariaExpanded = 'false'
  const back = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  ;(back ? (opener as HTMLElement) : button)?.focus({ preventScroll: true })
}

/** Moves the panel below the current position of the header. */
function place(): void {
  if (host.hidden) return
  const isSheet = SHEET.matches
  panel.role = isSheet ? 'dialog' : 'complementary'
  panel.ariaModal = isSheet ? 'true' : null
  document.body.inert = isSheet
  const bottom = document.querySelector('.oct-header')?.getBoundingClientRect().bottom ?? 0
  host.style.setProperty('--top', `${Math.max(0, Math.round(bottom))}px`)
}

function update(): void {
  composer.update(conversation.isBusy)
  composer.hint(conversation.isEmpty ? words.askQuestion : words.askFollowUp)
  const button = document.querySelector<HTMLElement>('.oct-ask')
  if (button !== null) button.ariaExpanded = String(!host.hidden)
}

/** Shows earlier conversations, latest first. */
function showHistory(): void {
  const threads = kept.read()
  const rows = threads.map((thread) => {
    const title = element('span', { dir: 'auto' }, thread.turns[0]?.question ?? '')
    const row = element('button', { type: 'button' }, icon('chat', 14), title)
    row.onclick = () => {
      conversation.open(thread)
      update()
      composer.field.focus()
    }
    return row
  })
  conversation.start()
  update()
  const forget = element('button', { type: 'button', className: 'forget' }, icon('trash', 14))
  forget.append(words.askForget)
  forget.onclick = () => {
    kept.forget()
    conversation.start()
    composer.field.focus()
  }
  const list = element('div', { className: 'hello starters' }, element('h3', {}, words.askEarlier))
  list.append(element('p', {}, words.askKept), ...rows, threads.length > 0 ? forget : '')
  conversation.root.replaceChildren(list)
  ;(rows[0] ?? composer.field).focus()
}

/** Makes the selected text of the page the topic of the next question. */
function trackSelection(): void {
  if (host.hidden) return
  const marked = getSelection()
  const isInText = document.querySelector('main')?.contains(marked?.anchorNode ?? null)
  const text = isInText ? String(marked).trim().slice(0, SELECTION_LENGTH_MAX) : ''
  if (text !== '') composer.topic = { kind: 'selection', text }
}

function currentTopic(): About {
  const topic: Topic = composer.topic
  const selection = 'text' in topic ? topic.text : undefined
  // A selection is the topic of one question only; the next questions are about the page again.
  if (selection !== undefined) composer.topic = { kind: 'page' }
  return { page: topic.kind === 'all' ? undefined : location.pathname, selection }
}

function addCodeButtons(): void {
  for (const block of document.querySelectorAll('main .oct-code')) {
    const code = block.querySelector('pre code')?.textContent ?? ''
    if (code === '') continue
    const button = iconButton(words.searchAsk, 'ask', () => {
      show(button)
      composer.topic = { kind: 'code', text: code.slice(0, SELECTION_LENGTH_MAX) }
      composer.field.focus()
    })
    button.className = 'oct-ask-code'
    block.append(button)
  }
}

async function copyFrom(button: HTMLElement, text: string): Promise<void> {
  await copyText(text)
  spoken.append(element('p', {}, words.copied))
  button.classList.add('done')
  setTimeout(() => button.classList.remove('done'), DONE_MS)
}

function remember(state: '' | 'open'): void {
  try {
    if (state === '') sessionStorage.removeItem('octavo-assistant')
    else sessionStorage.setItem('octavo-assistant', state)
  } catch {
    // If storage is disabled, the panel is closed on the next page.
  }
}
