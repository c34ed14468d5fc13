/** What is wrong with the page that is open, over the page: where, why and what to do. */
export type Problem = {
  readonly severity: 'error' | 'warning' | 'note'
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly file: string
  readonly line: number
  readonly column: number
  /** The line itself, where it can be read. */
  readonly excerpt?: string
}

export type PanelActions = { readonly open: (problem: Problem) => Promise<string | undefined> }

export class ProblemPanel {
  readonly #host = document.createElement('octavo-dev')
  readonly #root = this.#host.attachShadow({ mode: 'open' })
  readonly #actions: PanelActions
  #problems: readonly Problem[] = []
  #isOpen = false
  #isConnected = true
  /** What the author has put away does not come back by itself. */
  #dismissed = ''

  constructor(actions: PanelActions) {
    this.#actions = actions
    const styles = new CSSStyleSheet()
    styles.replaceSync(STYLES)
    this.#root.adoptedStyleSheets = [styles]
    // Beside the body, so that nothing of the page moves.
    document.documentElement.append(this.#host)
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && this.#isOpen) this.#toggle(false)
    })
  }

  show(problems: readonly Problem[]): void {
    const errors = problems.filter(({ severity }) => severity === 'error')
    const text = JSON.stringify(errors)
    this.#problems = problems.filter(({ severity }) => severity !== 'note')
    if (errors.length === 0) this.#isOpen = this.#isOpen && this.#problems.length > 0
    else if (text !== this.#dismissed) this.#isOpen = true
    this.#draw()
  }

  showConnection(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return
    this.#isConnected = isConnected
    this.#draw()
  }

  #toggle(isOpen: boolean): void {
    this.#isOpen = isOpen
    const errors = this.#problems.filter(({ severity }) => severity === 'error')
    this.#dismissed = isOpen ? '' : JSON.stringify(errors)
    this.#draw()
  }

  #draw(): void {
    this.#host.dataset.look = isDark() ? 'dark' : 'light'
    const parts = this.#isOpen && this.#problems.length > 0 ? [this.#panel()] : this.#badges()
    this.#root.replaceChildren(...parts)
  }

  #badges(): readonly HTMLElement[] {
    if (!this.#isConnected) {
      const status = element('p', 'badge', 'octavo dev has stopped')
      status.role = 'status'
      return [status]
    }
    if (this.#problems.length === 0) return []
    const worst = this.#problems.some(({ severity }) => severity === 'error') ? 'error' : 'warning'
    const badge = element('button', `badge ${worst}`, countText(this.#problems))
    badge.addEventListener('click', () => this.#toggle(true))
    return [badge]
  }

  #panel(): HTMLElement {
    const panel = element('section', 'panel')
    panel.role = 'region'
    panel.ariaLabel = 'Problems'
    const head = element('header')
    const close = element('button', 'close', '×')
    close.ariaLabel = 'Close'
    close.addEventListener('click', () => this.#toggle(false))
    const title = element('h2', '', countText(this.#problems))
    title.role = 'status'
    head.append(title, element('span', 'note', 'Only octavo dev shows this.'), close)
    const list = element('ul')
    list.append(...this.#problems.slice(0, SHOWN_MAX).map((problem) => this.#item(problem)))
    panel.append(head, list)
    return panel
  }

  #item(problem: Problem): HTMLElement {
    const { severity, code, message, hint, file, line, column, excerpt } = problem
    const item = element('li')
    const top = element('p', 'top')
    const place = element('button', 'place', `${file}:${line}:${column}`)
    place.title = 'Open in the editor'
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
    if (excerpt !== undefined) {
      const source = element('pre')
      source.append(element('span', 'number', `${line} │ `), excerpt)
      item.append(source)
    }
    const fix = sentence('hint', hint)
    fix.prepend(element('b', '', 'Fix: '))
    item.append(fix)
    return item
  }
}

/** More are in the terminal. */
const SHOWN_MAX = 50

function countText(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = problems.length - errors
  const parts = [
    ...(errors > 0 ? [`${errors} error${errors === 1 ? '' : 's'}`] : []),
    ...(warnings > 0 ? [`${warnings} warning${warnings === 1 ? '' : 's'}`] : []),
  ]
  return parts.join(', ')
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  // Never markup: it is what an author wrote.
  made.textContent = text
  return made
}

/** Code stands between backticks. */
function sentence(className: string, text: string): HTMLElement {
  const made = element('p', className)
  const parts = text.split('`')
  made.append(...parts.map((part, at) => (at % 2 === 0 ? part : element('code', '', part))))
  return made
}

const STYLES = `
:host {
  --paper: #fff; --ink: #1c1c1f; --soft: #5b5b66; --line: #dcdce3; --field: #f5f5f8;
  --error: #b3141d; --warning: #8a5300;
  all: initial; color-scheme: light;
  font: 14px/1.5 system-ui, sans-serif; color: var(--ink);
}
:host([data-look=dark]) {
  --paper: #18181b; --ink: #ececf1; --soft: #a3a3b0; --line: #3a3a44; --field: #232329;
  --error: #ff8a8a; --warning: #f2bd5c; color-scheme: dark;
}
* { box-sizing: border-box; margin: 0; }
button { font: inherit; color: inherit; cursor: pointer; background: none; border: 0; padding: 0; }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.badge {
  position: fixed; inset-block-end: 16px; inset-inline-start: 16px; z-index: 2147483647;
  padding: 6px 12px; border: 1px solid var(--line); border-radius: 999px;
  background: var(--paper); color: var(--ink); box-shadow: 0 4px 16px rgb(0 0 0 / .16);
}
.badge.error { color: var(--error); border-color: currentColor; }
.badge.warning { color: var(--warning); border-color: currentColor; }
.panel {
  position: fixed; inset-block-end: 0; inset-inline: 0; z-index: 2147483647;
  max-block-size: 60vh; overflow: auto; background: var(--paper); color: var(--ink);
  border-block-start: 2px solid var(--error); box-shadow: 0 -8px 32px rgb(0 0 0 / .2);
}
header {
  position: sticky; inset-block-start: 0; display: flex; gap: 12px; align-items: baseline;
  padding: 12px 20px; background: var(--paper); border-block-end: 1px solid var(--line);
}
h2 { font-size: 15px; font-weight: 600; }
.note { color: var(--soft); font-size: 13px; }
.close { margin-inline-start: auto; font-size: 22px; line-height: 1; min-inline-size: 28px; }
ul { list-style: none; padding: 0 20px; max-inline-size: 980px; }
li { padding-block: 14px; }
li + li { border-block-start: 1px solid var(--line); }
.top { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
.mark { font-weight: 600; }
.mark.error { color: var(--error); }
.mark.warning { color: var(--warning); }
.place, code, pre { font: 13px/1.5 ui-monospace, monospace; }
.place { text-decoration: underline; text-underline-offset: 3px; overflow-wrap: anywhere; text-align: start; }
p code { color: inherit; background: var(--field); border-radius: 4px; padding-inline: 4px; }
.top code { background: none; padding: 0; }
.top code, .answer, .number { color: var(--soft); }
.message { margin-block-start: 4px; }
pre {
  margin-block-start: 8px; padding: 8px 12px; overflow-x: auto; white-space: pre;
  background: var(--field); border-radius: 6px;
}
.hint { margin-block-start: 8px; color: var(--soft); }
.hint b { color: var(--ink); }
`
