/**
 * The search dialog. States: nothing typed (a hint, or searches of before), waiting, results, nothing
 * found, failed. The last answer stays while the next one is on its way, so that nothing flickers.
 */
import type { SearchWords } from '@octavo/search'
import { pagePath, tellHost } from '../page/site-base.ts'
import { OptionList } from './option-list.ts'
import { forgetSearches, keepSearch, recentSearches, type Storage } from './recent-searches.ts'
import { element, renderAsk, renderRecent, renderResults } from './render-results.ts'
import { type SearchReply, SearchSession } from './search-session.ts'
import { SettledQueries } from './settled-queries.ts'

// For `suggest-pages.ts`: a file that both import would be one more request for each.
export { SearchSession }

export type SearchOptions = {
  readonly storage: Storage
  /** The button in the header, with the address of the index and the first words. */
  readonly button: HTMLElement
  readonly closeLabel: string
}

const DIALOG_ID = 'oct-search'
/** A reader who is still typing asks once, not for each letter: each answer loads texts to show. */
const PAUSE_MS = 150
/** Who types nothing for so long reads, and gets the rest of the answer. */
const REST_MS = 800
/** An answer that comes sooner needs no word about waiting. */
const PATIENCE_MS = 250

export function openSearch(options: SearchOptions): void {
  const known = document.getElementById(DIALOG_ID)
  if (known instanceof HTMLDialogElement) {
    if (known.open) known.close()
    else showDialog(known)
    return
  }
  const dialog = new SearchDialog(options).dialog
  const styles = addStyles(options.button.dataset.styles ?? '')
  document.body.append(dialog)
  // Without its looks a dialog is not a pretty sight; but it works.
  styles.finally(() => showDialog(dialog))
}

function showDialog(dialog: HTMLDialogElement): void {
  if (!dialog.open) dialog.showModal()
  dialog.querySelector('input')?.select()
}

function addStyles(href: string): Promise<void> {
  if (href === '') return Promise.resolve()
  return new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => resolve())
    document.head.append(link)
  })
}

class SearchDialog {
  readonly dialog = document.createElement('dialog')
  readonly #options: SearchOptions
  readonly #session: SearchSession
  readonly #field = document.createElement('input')
  readonly #list = element('div', 'oct-found-list')
  /** What is to be read instead of results. */
  readonly #message = element('div', 'oct-search-message')
  readonly #keys = element('p', 'oct-search-keys')
  readonly #results: OptionList
  readonly #settled = new SettledQueries(tellHost)
  #words: SearchWords | undefined
  /** Answers to earlier questions than this are out of date. */
  #asked = 0
  /** Shows the rest of the answer. */
  #showMore: (() => void) | undefined

  constructor(options: SearchOptions) {
    this.#options = options
    this.#session = new SearchSession(options.button.dataset.index ?? '')
    this.#results = new OptionList(this.#field, this.#list)
    this.#build()
    this.#start()
  }

  #build(): void {
    const { button, closeLabel } = this.#options
    const prompt = button.querySelector('span')?.textContent ?? ''
    this.dialog.id = DIALOG_ID
    this.dialog.className = 'oct-search-dialog'
    this.dialog.ariaLabel = prompt
    Object.assign(this.#field, { type: 'search', placeholder: prompt, autocomplete: 'off' })
    Object.assign(this.#field, { spellcheck: false, maxLength: 200, enterKeyHint: 'go' })
    Object.assign(this.#field, { role: 'combobox', ariaLabel: prompt, ariaAutoComplete: 'list' })
    this.#field.ariaExpanded = 'false'
    this.#field.setAttribute('aria-controls', 'oct-found-list')
    Object.assign(this.#list, { id: 'oct-found-list', role: 'listbox', ariaLabel: prompt })
    this.#message.role = 'status'
    this.#keys.ariaHidden = 'true'
    const close = makeButton('oct-search-close', 'Esc', () => this.dialog.close())
    // Whoever says what to press says what is seen.
    close.ariaLabel = `Esc, ${closeLabel}`
    const bar = element('div', 'oct-search-bar')
    bar.append(this.#field, close)
    this.dialog.append(bar, this.#message, this.#list, this.#keys)
    this.#field.addEventListener('input', () => this.#typed())
    this.#field.addEventListener('keydown', this.#pressed)
    // A page that is still loading moves the focus to what its address names, behind the dialog.
    this.#field.addEventListener('blur', () =>
      setTimeout(() => {
        const isOutside = !this.dialog.contains(document.activeElement)
        if (this.dialog.open && isOutside) this.#field.focus()
      }),
    )
    this.#list.addEventListener('click', this.#clicked)
    this.dialog.addEventListener('close', () => this.#settled.settle())
    // Who goes into the list wants all of it.
    for (const type of ['mousemove', 'scroll', 'touchstart'])
      this.#list.addEventListener(type, () => this.#showMore?.(), { passive: true })
    // A click beside the dialog is a click on it, and on nothing in it.
    this.dialog.addEventListener('mousedown', ({ target }) => {
      if (target === this.dialog) this.dialog.close()
    })
  }

  #start(): void {
    this.#say('')
    this.#session.open().then(
      (words) => {
        this.#words = words
        this.#list.ariaLabel = words.searchResults
        this.#showKeys(words)
        if (this.#field.value === '') this.#showStart()
        else this.#ask()
      },
      () => this.#showFailure(),
    )
  }

  #typed(): void {
    this.#settled.typed()
    this.#asked += 1
    const question = this.#asked
    if (this.#field.value.trim() === '') this.#showStart()
    else setTimeout(() => question === this.#asked && this.#ask(), PAUSE_MS)
  }

  #ask(): void {
    this.#asked += 1
    const question = this.#asked
    const isCurrent = () => question === this.#asked
    const query = this.#field.value.trim()
    const waiting = setTimeout(() => {
      if (isCurrent() && this.#words !== undefined) this.#say(this.#words.searchLoading)
    }, PATIENCE_MS)
    this.#session
      .ask(query, isCurrent)
      .then(
        (reply) => reply !== undefined && isCurrent() && this.#showReply(query, reply),
        () => isCurrent() && this.#showFailure(),
      )
      .finally(() => clearTimeout(waiting))
  }

  #showReply(query: string, reply: SearchReply): void {
    this.#settled.answered(query, reply.count)
    const text = this.#words?.searchNothing ?? ''
    this.#say(reply.hits.length > 0 ? '' : text.replace('{query}', () => query))
    const results = renderResults(reply)
    const label = this.#words?.searchAsk
    // The script of a host with an assistant says so. An index of before has no word for it.
    const hasAssistant = label !== undefined && 'assistant' in document.documentElement.dataset
    const rows = hasAssistant ? [renderAsk(query, label, () => this.#askAssistant())] : []
    this.#show([...rows, ...results], { query, isFirstActive: true })
    // Who searches wants a page first.
    if (rows[0] && results[0]) this.#results.move(1)
    const question = this.#asked
    this.#showMore = () => {
      this.#showMore = undefined
      // Without them there are still the best.
      reply.more?.().then(
        (rest) => {
          if (question !== this.#asked) return
          this.#results.add(renderResults(rest, this.#list.childElementCount))
        },
        () => undefined,
      )
    }
    setTimeout(() => question === this.#asked && this.#showMore?.(), REST_MS)
  }

  /** What the list shows, and for which query. */
  #show(
    content: readonly HTMLElement[],
    { query, isFirstActive }: { readonly query: string; readonly isFirstActive: boolean },
  ): void {
    this.#showMore = undefined
    this.#list.dataset.query = query
    this.#results.show(content, { isFirstActive })
  }

  /** Searches of before, or what there is to search. */
  #showStart(): void {
    const words = this.#words
    if (words === undefined) return
    const { storage } = this.#options
    const recent = recentSearches(storage)
    this.#say(recent.length === 0 ? words.searchEmpty : '')
    const items = renderRecent(recent, (query) => {
      this.#field.value = query
      this.#field.focus()
      this.#ask()
    })
    const content = items.length === 0 ? [] : [this.#recentHead(words), ...items]
    this.#show(content, { query: '', isFirstActive: false })
  }

  #recentHead({ searchRecent, searchForget }: SearchWords): HTMLElement {
    const head = element('div', 'oct-found-head')
    head.role = 'presentation'
    const forget = makeButton('', searchForget, () => {
      forgetSearches(this.#options.storage)
      this.#showStart()
      this.#field.focus()
    })
    head.append(element('span', '', searchRecent), forget)
    return head
  }

  #showFailure(): void {
    const { failed = '', retry = '' } = this.#options.button.dataset
    this.#show([], { query: '', isFirstActive: false })
    const again = makeButton('', retry, () => {
      this.#field.focus()
      this.#start()
    })
    this.#message.replaceChildren(failed, ' ', again)
  }

  #say(text: string): void {
    this.#message.textContent = text
  }

  #showKeys({ searchChoose, searchOpen, searchClose }: SearchWords): void {
    const keys = { '↑ ↓': searchChoose, '↵': searchOpen, Esc: searchClose }
    this.#keys.replaceChildren(
      ...Object.entries(keys).map(([key, text]) => {
        const item = element('span')
        item.append(element('kbd', '', key), ` ${text}`)
        return item
      }),
    )
  }

  #askAssistant(): void {
    this.dialog.close()
    const detail = { question: this.#field.value, opener: this.#options.button }
    document.dispatchEvent(new CustomEvent('octavo-ask', { detail }))
  }

  /** Back to where the reader was; who was nowhere can go on from the field in the header. */
  #leave(): void {
    this.dialog.close()
    // Nothing else took the focus, so the browser leaves it here for a moment.
    if (this.dialog.contains(document.activeElement))
      this.#options.button.focus({ preventScroll: true })
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    // While letters are being put together, keys belong to the system.
    if (event.isComposing) return
    const { key } = event
    const isAsk = key === 'Enter' && (event.ctrlKey || event.metaKey)
    const ask = isAsk && this.#list.querySelector<HTMLElement>('[data-kind=ask]')
    if (key.startsWith('Arrow')) this.#showMore?.()
    if (ask) ask.click()
    else if (key === 'ArrowDown') this.#results.move(1)
    else if (key === 'ArrowUp') this.#results.move(-1)
    // Left to the browser, it would empty the field first.
    else if (key === 'Escape') this.#leave()
    else if (key !== 'Enter' || !this.#results.open(event)) return
    event.preventDefault()
  }

  readonly #clicked = ({ target, ctrlKey, metaKey }: MouseEvent): void => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null) return
    keepSearch(this.#options.storage, this.#field.value.trim())
    // What is shown may answer what stood in the field before.
    this.#settled.opened(this.#list.dataset.query ?? '', pagePath(link.pathname))
    // In another tab it opens beside; here the dialog is done.
    if (!ctrlKey && !metaKey) this.dialog.close()
  }
}

function makeButton(className: string, text: string, pressed: () => void): HTMLElement {
  const made = element('button', className, text) as HTMLButtonElement
  made.type = 'button'
  made.addEventListener('click', pressed)
  return made
}
