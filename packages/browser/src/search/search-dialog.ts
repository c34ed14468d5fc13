/**
 * The search dialog. States: empty (a hint or recent searches), loading, results, no results,
 * failed. The previous results stay until the next ones arrive, so that the list does not flicker.
 */
import type { SearchWords } from '@octavo/search'
import { pagePath, reportEvent } from '../page/site-base.ts'
import { OptionList } from './option-list.ts'
import { clearSearches, recentSearches, type Storage, saveSearch } from './recent-searches.ts'
import { element, renderAsk, renderRecent, renderResults } from './render-results.ts'
import { type SearchResults, SearchSession } from './search-session.ts'
import { SettledQueries } from './settled-queries.ts'

// For `suggest-pages.ts`: a shared chunk would cost both an extra request.
export { SearchSession }

export type SearchOptions = {
  readonly storage: Storage
  /** The button in the header, with the index URL and the first interface texts. */
  readonly button: HTMLElement
  readonly closeLabel: string
}

const DIALOG_ID = 'oct-search'
/** Debounces queries while the reader types, since each one loads texts to show. */
const PAUSE_MS = 150
/** After this pause in typing, the remaining results are shown. */
const COOLDOWN_MS = 800
/** Faster results need no loading message. */
const LOADING_DELAY_MS = 250

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
  // Also shown if the styles fail to load: it is ugly then, but works.
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
  /** Shown instead of results. */
  readonly #message = element('div', 'oct-search-message')
  readonly #keys = element('p', 'oct-search-keys')
  readonly #results: OptionList
  readonly #settled = new SettledQueries(reportEvent)
  #words: SearchWords | undefined
  /** The latest query; results of earlier ones are outdated. */
  #asked = 0
  /** Shows the remaining results. */
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
    // Includes the visible text, so that voice control users can say it.
    close.ariaLabel = `Esc, ${closeLabel}`
    const bar = element('div', 'oct-search-bar')
    bar.append(this.#field, close)
    this.dialog.append(bar, this.#message, this.#list, this.#keys)
    this.#field.addEventListener('input', () => this.#typed())
    this.#field.addEventListener('keydown', this.#pressed)
    // A page that is still loading moves the focus to its fragment target, behind the dialog.
    this.#field.addEventListener('blur', () =>
      setTimeout(() => {
        const isOutside = !this.dialog.contains(document.activeElement)
        if (this.dialog.open && isOutside) this.#field.focus()
      }),
    )
    this.#list.addEventListener('click', this.#clicked)
    this.dialog.addEventListener('close', () => this.#settled.settle())
    // A reader who enters the list wants all results.
    for (const type of ['mousemove', 'scroll', 'touchstart'])
      this.#list.addEventListener(type, () => this.#showMore?.(), { passive: true })
    // A click on the backdrop has the dialog itself as its target.
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
    }, LOADING_DELAY_MS)
    this.#session
      .ask(query, isCurrent)
      .then(
        (reply) => reply !== undefined && isCurrent() && this.#showReply(query, reply),
        () => isCurrent() && this.#showFailure(),
      )
      .finally(() => clearTimeout(waiting))
  }

  #showReply(query: string, reply: SearchResults): void {
    this.#settled.answered(query, reply.count)
    const text = this.#words?.searchNothing ?? ''
    this.#say(reply.hits.length > 0 ? '' : text.replace('{query}', () => query))
    const results = renderResults(reply)
    const label = this.#words?.searchAsk
    // Set by the script of a host with an assistant. Older indexes have no label for it.
    const hasAssistant = label !== undefined && 'assistant' in document.documentElement.dataset
    const rows = hasAssistant ? [renderAsk(query, label, () => this.#askAssistant())] : []
    this.#show([...rows, ...results], { query, isFirstActive: true })
    // Selects the first page rather than the assistant.
    if (rows[0] && results[0]) this.#results.move(1)
    const question = this.#asked
    this.#showMore = () => {
      this.#showMore = undefined
      // If this fails, the best results are still shown.
      reply.more?.().then(
        (rest) => {
          if (question !== this.#asked) return
          this.#results.add(renderResults(rest, this.#list.childElementCount))
        },
        () => undefined,
      )
    }
    setTimeout(() => question === this.#asked && this.#showMore?.(), COOLDOWN_MS)
  }

  /** Replaces the list's content and remembers its query. */
  #show(
    content: readonly HTMLElement[],
    { query, isFirstActive }: { readonly query: string; readonly isFirstActive: boolean },
  ): void {
    this.#showMore = undefined
    this.#list.dataset.query = query
    this.#results.show(content, { isFirstActive })
  }

  /** Shows recent searches, or a hint. */
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
      clearSearches(this.#options.storage)
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

  /** Closes and returns the focus; if nothing had it, the search button gets it. */
  #leave(): void {
    this.dialog.close()
    // If no other element took the focus, the browser keeps it in the dialog for a moment.
    if (this.dialog.contains(document.activeElement))
      this.#options.button.focus({ preventScroll: true })
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    // During IME composition, keys belong to the input method.
    if (event.isComposing) return
    const { key } = event
    const isAsk = key === 'Enter' && (event.ctrlKey || event.metaKey)
    const ask = isAsk && this.#list.querySelector<HTMLElement>('[data-kind=ask]')
    if (key.startsWith('Arrow')) this.#showMore?.()
    if (ask) ask.click()
    else if (key === 'ArrowDown') this.#results.move(1)
    else if (key === 'ArrowUp') this.#results.move(-1)
    // The browser's default would clear the field first.
    else if (key === 'Escape') this.#leave()
    else if (key !== 'Enter' || !this.#results.open(event)) return
    event.preventDefault()
  }

  readonly #clicked = ({ target, ctrlKey, metaKey }: MouseEvent): void => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null) return
    saveSearch(this.#options.storage, this.#field.value.trim())
    // The visible results may belong to an earlier query.
    this.#settled.opened(this.#list.dataset.query ?? '', pagePath(link.pathname))
    // With a modifier key it opens in a new tab, and the dialog stays.
    if (!ctrlKey && !metaKey) this.dialog.close()
  }
}

function makeButton(className: string, text: string, pressed: () => void): HTMLElement {
  const made = element('button', className, text) as HTMLButtonElement
  made.type = 'button'
  made.addEventListener('click', pressed)
  return made
}
