/** The text field for a question, with the topic that the question is about. */
import { element, icon, iconButton } from './elements.ts'
import { words } from './words.ts'

export type Topic =
  | { readonly kind: 'page' | 'all' }
  | { readonly kind: 'selection' | 'code'; readonly text: string }

export type ComposerDeps = {
  readonly ask: (question: string) => void
  readonly stop: () => void
}

const QUESTION_LENGTH_MAX = 4_000
const TOPICS = {
  page: words.askThisPage,
  selection: words.askSelection,
  code: words.askCode,
}

export class Composer {
  readonly root = element('div', { className: 'compose' })
  readonly field = element('textarea', {
    rows: 1,
    maxLength: QUESTION_LENGTH_MAX,
    enterKeyHint: 'send',
  })
  readonly #send = element('button', { type: 'submit', className: 'send' })
  readonly #chip = element('span', { className: 'chip' })
  readonly #deps: ComposerDeps
  #topic: Topic = { kind: 'page' }
  #isBusy = false

  constructor(deps: ComposerDeps) {
    this.#deps = deps
    const form = element('form', { className: 'box' })
    form.append(this.field, element('div', { className: 'row' }, this.#chip, this.#send))
    form.onsubmit = (event) => {
      event.preventDefault()
      this.#submit()
    }
    this.field.oninput = () => this.update(this.#isBusy)
    this.field.onkeydown = (event) => {
      // While an input method composes text, it handles the keys.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      this.#submit()
    }
    this.root.append(form, element('p', { className: 'caution' }, words.askCaution))
    this.hint(words.askQuestion)
    this.topic = { kind: 'page' }
    this.update(false)
  }

  get topic(): Topic {
    return this.#topic
  }

  set topic(topic: Topic) {
    this.#topic = topic
    this.#chip.hidden = topic.kind === 'all'
    if (topic.kind === 'all') return
    const more = 'text' in topic ? topic.text : document.title
    const remove = iconButton(words.dismiss, 'close', () => {
      this.topic = topic.kind === 'page' ? { kind: 'all' } : { kind: 'page' }
      this.field.focus()
    })
    const name = element('b', { title: more.slice(0, 300) }, TOPICS[topic.kind])
    const drawing = icon(topic.kind === 'code' ? 'code' : 'page', 12)
    this.#chip.replaceChildren(drawing, element('span', {}, words.askAbout), name, remove)
  }

  hint(text: string): void {
    this.field.placeholder = text
    this.field.ariaLabel = text
  }

  update(isBusy: boolean): void {
    this.#isBusy = isBusy
    // An empty field uses the text direction of the page.
    this.field.dir = this.field.value === '' ? '' : 'auto'
    const label = isBusy ? words.tryCancel : words.trySend
    Object.assign(this.#send, { ariaLabel: label, title: label })
    this.#send.classList.toggle('stop', isBusy)
    // The button is not `disabled`, because it would then lose the focus between two questions.
    this.#send.ariaDisabled = String(!isBusy && this.field.value.trim() === '')
    this.#send.replaceChildren(icon(isBusy ? 'stop' : 'send'))
  }

  #submit(): void {
    if (this.#isBusy) {
      this.#deps.stop()
      return
    }
    const question = this.field.value.trim()
    if (question === '') return
    this.field.value = ''
    this.#deps.ask(question)
  }
}
