/**
 * Shows the problems of the open page in an overlay: place, reason and hint. It opens automatically
 * for errors on this page or in the file that was just saved; other problems are only counted in
 * the corner.
 */
import { ClosedProblems, problemKey } from './closed-problems.ts'

export type Problem = {
  readonly severity: 'error' | 'warning' | 'note'
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly file: string
  readonly line: number
  readonly column: number
  /**
   * The source line or a part of it, and the column within this text. Undefined if the source is
   * not readable.
   */
  readonly excerpt?: { readonly text: string; readonly column: number }
  readonly canFix: boolean
  /** True for a problem on the open page or in a file that was just saved. */
  readonly isNear: boolean
}

export type ShownProblems = {
  readonly problems: readonly Problem[]
  /** The number of problems that are not listed. */
  readonly moreCount: number
}

/** An action of the panel. It returns an error message if it fails. */
type Action = (problem: Problem) => Promise<string | undefined>

export type PanelActions = { readonly open: Action; readonly fix: Action }

export class ProblemPanel {
  readonly #host = document.createElement('octavo-dev')
  readonly #root = this.#host.attachShadow({ mode: 'open' })
  readonly #actions: PanelActions
  readonly #closed = new ClosedProblems()
  #shown: ShownProblems = { problems: [], moreCount: 0 }
  /**
   * Either 'author' if the author opened the panel, or the errors that opened it. The panel closes
   * when these errors are fixed.
   */
  #opened: 'author' | ReadonlySet<string> | undefined
  #isConnected = true

  constructor(actions: PanelActions) {
    this.#actions = actions
    const styles = new CSSStyleSheet()
    styles.replaceSync(STYLES)
    this.#root.adoptedStyleSheets = [styles]
    // The panel is outside the body, so that the page does not move.
    document.documentElement.append(this.#host)
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && this.#isOpen) this.#close()
    })
  }

  get #isOpen(): boolean {
    if (this.#shown.problems.length === 0 || this.#opened === undefined) return false
    if (this.#opened === 'author') return true
    const keys = this.#opened
    return this.#shown.problems.some((problem) => keys.has(problemKey(problem)))
  }

  show(shown: ShownProblems): void {
    this.#shown = shown
    const keys = this.#nearErrors()
    this.#closed.keepOnly(keys)
    if (!this.#isOpen) this.#opened = undefined
    if (this.#opened !== 'author' && this.#closed.hasNew(keys)) this.#opened = new Set(keys)
    this.#draw()
  }

  showConnection(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return
    this.#isConnected = isConnected
    this.#draw()
  }

  #close(): void {
    this.#opened = undefined
    this.#closed.add(this.#nearErrors())
    this.#draw()
  }

  #nearErrors(): readonly string[] {
    const { problems } = this.#shown
    const near = problems.filter(({ severity, isNear }) => isNear && severity === 'error')
    return near.map(problemKey)
  }

  /** Renders the whole panel again, but keeps the scroll position and the focused button. */
  #draw(): void {
    const buttons = () => [...this.#root.querySelectorAll('button')]
    const focused = buttons().findIndex((button) => button.matches(':focus'))
    const scrolled = this.#root.querySelector('.panel')?.scrollTop ?? 0
    this.#root.replaceChildren(...(this.#isOpen ? [this.#panel()] : this.#badges()))
    this.#root.querySelector('.panel')?.scrollTo({ top: scrolled })
    if (focused >= 0) (buttons()[focused] ?? buttons().at(-1))?.focus()
  }

  #badges(): readonly HTMLElement[] {
    if (!this.#isConnected) {
      const status = element('p', 'badge', 'octavo dev has stopped')
      status.role = 'status'
      return [status]
    }
    const { problems, moreCount } = this.#shown
    if (problems.length === 0) return []
    const worst = problems.some(({ severity }) => severity === 'error') ? 'error' : 'warning'
    const more = moreCount > 0 ? ` and ${moreCount} more` : ''
    const badge = element('button', `badge ${worst}`, countText(problems) + more)
    badge.addEventListener('click', () => {
      this.#opened = 'author'
      this.#draw()
    })
    return [badge]
  }

  #panel(): HTMLElement {
    const panel = element('section', 'panel')
    panel.role = 'region'
    panel.ariaLabel = 'Problems'
    const head = element('header')
    const close = element('button', 'close', '×')
    close.ariaLabel = 'Close'
    close.addEventListener('click', () => this.#close())
    const { problems, moreCount } = this.#shown
    const near = problems.filter(({ isNear }) => isNear)
    const far = problems.filter(({ isNear }) => !isNear)
    const title = element('h2', '', countText(near.length > 0 ? near : far))
    title.role = 'status'
    const note = near.length > 0 ? 'Only visible in octavo dev.' : 'None on this page.'
    head.append(title, element('span', 'note', note), close)
    panel.append(head, this.#list(near))
    if (far.length > 0) {
      if (near.length > 0) panel.append(element('h3', '', `In other files: ${countText(far)}`))
      panel.append(this.#list(far))
    }
    if (moreCount > 0) panel.append(sentence('more', `${moreCount} more: see \`octavo check\`.`))
    return panel
  }

  #list(problems: readonly Problem[]): HTMLElement {
    const list = element('ul')
    list.append(...problems.map((problem) => this.#item(problem)))
    return list
  }

  #item(problem: Problem): HTMLElement {
    const { severity, code, message, hint, file, line, column, excerpt } = problem
    const item = element('li')
    const top = element('p', 'top')
    const place = element('button', 'place', `${file}:${line}:${column}`)
    place.title = 'Open in editor'
    const answer = element('span', 'answer')
    answer.role = 'status'
    place.addEventListener('click', async () => {
      answer.textContent = (await this.#actions.open(problem)) ?? ''
    })
    top.append(
      element('span', `mark ${severity}`, severity),
      place,
      element('code', '', code),
      answer,
    )
    item.append(top, sentence('message', message))
    if (excerpt !== undefined) item.append(sourceLine(line, excerpt))
    const advice = sentence('hint', hint)
    advice.prepend(element('b', '', 'Hint: '))
    item.append(advice)
    if (problem.canFix) item.append(this.#fixButton(problem, answer))
    return item
  }

  /**
   * Creates the button that applies a fix. The problem disappears when the changed file has been
   * read.
   */
  #fixButton(problem: Problem, answer: HTMLElement): HTMLElement {
    const button = element('button', 'fix', 'Fix')
    button.ariaLabel = `Fix ${problem.file}:${problem.line}`
    button.addEventListener('click', async () => {
      // The button is not `disabled`, because it would then lose the focus.
      if (button.ariaDisabled === 'true') return
      button.ariaDisabled = 'true'
      const failure = await this.#actions.fix(problem).catch(String)
      answer.textContent = failure ?? ''
      button.ariaDisabled = String(failure === undefined)
    })
    return button
  }
}

/** Renders the source line as the terminal does, with a caret below the column. */
function sourceLine(line: number, { text, column }: NonNullable<Problem['excerpt']>): HTMLElement {
  const source = element('pre')
  // An invisible copy of the text before the caret, since some characters are wider than others.
  const space = element('span', 'hidden', text.slice(0, column))
  const margin = ' '.repeat(`${line}`.length)
  source.append(element('span', 'number', `${line} │ `), `${text}\n`)
  source.append(element('span', 'number', `${margin} │ `), space, element('span', 'caret', '^'))
  return source
}

function countText(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const parts = [
    ...(errors > 0 ? [`${errors} error${errors === 1 ? '' : 's'}`] : []),
    ...(warnings > 0 ? [`${warnings} warning${warnings === 1 ? '' : 's'}`] : []),
  ]
  return parts.join(', ')
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  // The text is never parsed as HTML, because authors wrote it.
  made.textContent = text
  return made
}

/** Renders text between backticks as code. */
function sentence(className: string, text: string): HTMLElement {
  const made = element('p', className)
  const parts = text.split('`')
  made.append(...parts.map((part, at) => (at % 2 === 0 ? part : element('code', '', part))))
  return made
}

const STYLES = `
:host {
  --paper: light-dark(#fff, #18181b); --ink: light-dark(#1c1c1f, #ececf1);
  --soft: light-dark(#5b5b66, #a3a3b0); --line: light-dark(#dcdce3, #3a3a44);
  --field: light-dark(#f5f5f8, #232329); --good: light-dark(#11703a, #5cd68d);
  --error: light-dark(#b3141d, #ff8a8a); --warning: light-dark(#8a5300, #f2bd5c);
  all: initial; color-scheme: inherit; color: var(--ink);
  font: 14px/1.5 var(--oct-font-body, system-ui), sans-serif;
}
* { box-sizing: border-box; margin: 0; }
button { font: inherit; color: inherit; cursor: pointer; background: none; border: 0; padding: 0; }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.badge, .panel {
  position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483647;
  border: 1px solid var(--line); background: var(--paper); color: var(--ink);
}
.badge { padding: 6px 12px; border-radius: 999px; box-shadow: 0 4px 16px rgb(0 0 0 / .16); }
.badge.error { color: var(--error); border-color: currentColor; }
.badge.warning { color: var(--warning); border-color: currentColor; }
.panel {
  inline-size: calc(100vw - 32px); max-block-size: 45vh; overflow: auto;
  border-radius: 12px; border-block-start: 3px solid var(--error);
  box-shadow: 0 8px 40px rgb(0 0 0 / .24);
}
/* The sidebar, which is there from this width on, stays free. */
@media (width >= 60rem) { .panel { inline-size: min(48rem, 100vw - 20rem); } }
.panel > * { direction: ltr; }
header {
  position: sticky; inset-block-start: 0; display: flex; gap: 12px; align-items: baseline;
  padding: 10px 20px; background: var(--paper); border-block-end: 1px solid var(--line);
}
h2 { font-size: 15px; font-weight: 600; }
h3, .more { padding: 14px 20px; font-size: 14px; font-weight: 600; border-block-start: 1px solid var(--line); }
.more { font-weight: 400; color: var(--soft); }
.note { color: var(--soft); font-size: 13px; }
.close { margin-inline-start: auto; font-size: 22px; line-height: 1; min-inline-size: 28px; }
ul { list-style: none; padding: 0 20px; }
li { padding-block: 14px; }
li + li { border-block-start: 1px solid var(--line); }
.top { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
.mark { font-weight: 600; }
.mark.error, .caret { color: var(--error); }
.mark.warning { color: var(--warning); }
.place, code, pre { font: 13px/1.5 var(--oct-font-code, ui-monospace), monospace; }
.place { text-decoration: underline; text-underline-offset: 3px; overflow-wrap: anywhere; text-align: start; }
p code { color: inherit; background: var(--field); border-radius: 4px; padding-inline: 4px; }
.top code { background: none; padding: 0; }
.top code, .answer, .number { color: var(--soft); }
.message { margin-block-start: 4px; }
pre {
  margin-block-start: 8px; padding: 8px 12px; overflow-x: auto; white-space: pre;
  background: var(--field); border-inline-start: 3px solid var(--error); border-radius: 6px;
}
.number, .hidden, .caret { user-select: none; }
.hidden { visibility: hidden; }
.hint { margin-block-start: 8px; color: var(--soft); }
.hint b { color: var(--good); font-weight: 600; }
.fix {
  margin-block-start: 10px; padding: 4px 14px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--field); font-weight: 600;
}
.fix:hover { border-color: currentColor; }
.fix[aria-disabled=true] { color: var(--soft); cursor: default; }
`
