/**
 * The search dialog. Its states are: empty (a hint or recent searches), loading, results, no
 * results, failed. The previous results stay until the next ones arrive, so that the list does not
 * flicker.
 */
import type { SearchWords } from '@octavo/search'
import { pagePath, reportEvent } from '../page/site-base.ts'
import { OptionList } from './option-list.ts'
import { clearSearches, recentSearches, type Storage, saveSearch } from './recent-searches.ts'
import { element, renderAsk, renderFilters, renderRecent, renderResults } from './render-results.ts'
import { type FoundResults, RESULTS_MAX, type ResultPart, SearchSession } from './search-session.ts'
import { SettledQueries } from './settled-queries.ts'

// Exported for `suggest-pages.ts`, because loading a shared chunk would cost an extra request.
export { SearchSession }

export type SearchOptions = {
  readonly storage: Storage
  /**
   * The button in the header. It has the URL of the index and the text that is needed before the
   * index is loaded.
   */
  readonly button: HTMLElement
  readonly closeLabel: string
}

const DIALOG_ID = 'oct-search'
/** A query waits for this pause in typing, since each query loads the text of its results. */
const PAUSE_MS = 150
/** After this pause in typing, the remaining results are shown too. */
const COOLDOWN_MS = 800
/** If results arrive within this time, no loading message is shown. */
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
  // The dialog opens even if its styles fail to load: it is ugly then, but works.
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
  /** The message that is shown instead of results. */
  readonly #message = element('div', 'oct-search-message')
  readonly #filters = element('div', 'oct-search-filters')
  readonly #keys = element('p', 'oct-search-keys')
  /** The number of results, which screen readers announce. */
  readonly #count = element('p', 'oct-search-count')
  readonly #results: OptionList
  readonly #settled = new SettledQueries(reportEvent)
  #words: SearchWords | undefined
  /** The number of the latest query; results of earlier queries are outdated. */
  #questionId = 0
  #showMore: (() => void) | undefined
  /** The tab whose results are shown; empty for all. */
  #tab = ''

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
    this.#count.role = 'status'
    this.#filters.role = 'group'
    this.#keys.ariaHidden = 'true'
    const close = makeButton('oct-search-close', 'Esc', () => this.dialog.close())
    // The label includes the visible text, so that users of voice control can say it.
    close.ariaLabel = `Esc, ${closeLabel}`
    const bar = element('div', 'oct-search-bar')
    bar.append(this.#field, close)
    const foot = element('div', 'oct-search-foot')
    foot.append(this.#keys, this.#count)
    this.dialog.append(bar, this.#filters, this.#message, this.#list, foot)
    this.#field.addEventListener('input', () => this.#typed())
    this.#field.addEventListener('keydown', this.#pressed)
    // A page that is still loading moves the focus to the target of its fragment, behind the
    // dialog.
    this.#field.addEventListener('blur', () =>
      setTimeout(() => {
        const isOutside = !this.dialog.contains(document.activeElement)
        if (this.dialog.open && isOutside) this.#field.focus()
      }),
    )
    this.#list.addEventListener('click', this.#clicked)
    this.dialog.addEventListener('close', () => this.#settled.settle())
    // A reader who moves to the end of the list wants to see more results.
    for (const type of ['mousemove', 'scroll', 'touchstart'])
      this.#list.addEventListener(type, () => this.#moveOn(), { passive: true })
    // For a click on the backdrop, the target is the dialog itself.
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
        this.#filters.ariaLabel = words.searchResults
        this.#showKeys(words)
        if (this.#field.value === '') this.#showStart()
        else this.#ask()
      },
      () => this.#showFailure(),
    )
  }

  #typed(): void {
    this.#settled.typed()
    this.#questionId += 1
    const question = this.#questionId
    if (this.#field.value.trim() === '') this.#showStart()
    else setTimeout(() => question === this.#questionId && this.#ask(), PAUSE_MS)
  }

  #ask(): void {
    this.#questionId += 1
    const question = this.#questionId
    const isCurrent = () => question === this.#questionId
    const query = this.#field.value.trim()
    const waiting = setTimeout(() => {
      if (isCurrent() && this.#words !== undefined) this.#say(this.#words.searchLoading)
    }, LOADING_DELAY_MS)
    this.#session
      .ask(query, isCurrent, this.#tab)
      .then(
        (found) => found !== undefined && isCurrent() && this.#showReply(query, found),
        () => isCurrent() && this.#showFailure(),
      )
      .finally(() => clearTimeout(waiting))
  }

  #showReply(query: string, found: FoundResults): void {
    this.#settled.answered(query, found.count)
    this.#showFilters(found)
    const nothing = this.#words?.searchNothing ?? ''
    this.#say(found.hits.length > 0 ? '' : nothing.replace('{query}', () => query))
    const results = renderResults(found)
    const label = this.#words?.searchAsk
    // The script of a host with an assistant sets this attribute. Older indexes have no label for
    // the row.
    const hasAssistant = label !== undefined && 'assistant' in document.documentElement.dataset
    const rows = hasAssistant ? [renderAsk(query, label, () => this.#askAssistant())] : []
    this.#show([...rows, ...results], { query, isFirstActive: true })
    // Selects the best result, after the row for the assistant and its page.
    const before = rows.length + (found.hits[0]?.section === 0 ? 0 : 1)
    for (let row = 0; row < before && results[0]; row += 1) this.#results.move(1)
    const question = this.#questionId
    this.#offerMore(found)
    setTimeout(() => question === this.#questionId && this.#showMore?.(), COOLDOWN_MS)
  }

  #moveOn(): void {
    const { scrollTop, clientHeight, scrollHeight } = this.#list
    if (scrollTop + 2 * clientHeight >= scrollHeight) this.#showMore?.()
  }

  #offerMore({ more }: ResultPart): void {
    const question = this.#questionId
    this.#showMore = () => {
      this.#showMore = undefined
      // If loading fails, the best results are still shown.
      more?.().then(
        (rest) => {
          if (question !== this.#questionId) return
          this.#results.add(renderResults(rest))
          this.#offerMore(rest)
        },
        () => undefined,
      )
    }
  }

  /** Shows the tabs of the site, which filter the results, and the number of results. */
  #showFilters(found: FoundResults): void {
    const { searchAll = '', searchResults = '' } = this.#words ?? {}
    const all = [['', found.count] as const, ...found.tabs]
    const count = all.find(([label]) => label === this.#tab)?.[1] ?? 0
    this.#count.textContent = `${searchResults}: ${count}${found.count < RESULTS_MAX ? '' : '+'}`
    const rows = renderFilters(
      found.tabs.length === 0 ? [] : all,
      { chosen: this.#tab, searchAll },
      (label) => {
        this.#tab = label
        this.#field.focus()
        this.#ask()
      },
    )
    this.#filters.replaceChildren(...rows)
  }

  /** Replaces the content of the list and stores the query that it belongs to. */
  #show(
    content: readonly HTMLElement[],
    { query, isFirstActive }: { readonly query: string; readonly isFirstActive: boolean },
  ): void {
    this.#showMore = undefined
    if (query === '') {
      this.#filters.replaceChildren()
      this.#count.textContent = ''
    }
    this.#list.dataset.query = query
    this.#results.show(content, { isFirstActive })
  }

  /** Shows the recent searches, or a hint if the reader has not searched yet. */
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

  /** Closes the dialog. The focus returns to where it was, or else to the search button. */
  #leave(): void {
    this.dialog.close()
    // If nothing had the focus before, the browser keeps it in the dialog for a moment.
    if (this.dialog.contains(document.activeElement))
      this.#options.button.focus({ preventScroll: true })
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    // While an input method composes text, it handles the keys.
    if (event.isComposing) return
    const { key } = event
    const isAsk = key === 'Enter' && (event.ctrlKey || event.metaKey)
    const ask = isAsk && this.#list.querySelector<HTMLElement>('[data-kind=ask]')
    if (key.startsWith('Arrow')) this.#moveOn()
    if (ask) ask.click()
    else if (key === 'ArrowDown') this.#results.move(1)
    else if (key === 'ArrowUp') this.#results.move(-1)
    // By default, the browser would clear the field first.
    else if (key === 'Escape') this.#leave()
    else if (key !== 'Enter' || !this.#results.open(event)) return
    event.preventDefault()
  }

  readonly #clicked = ({ target, ctrlKey, metaKey }: MouseEvent): void => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null) return
    saveSearch(this.#options.storage, this.#field.value.trim())
    // The visible results may be those of an earlier query.
    this.#settled.opened(this.#list.dataset.query ?? '', pagePath(link.pathname))
    // With a modifier key, the page opens in a new tab, and the dialog stays open.
    if (!ctrlKey && !metaKey) this.dialog.close()
  }
}

function makeButton(className: string, text: string, pressed: () => void): HTMLElement {
  const made = element('button', className, text) as HTMLButtonElement
  made.type = 'button'
  made.addEventListener('click', pressed)
  return made
}
