/**
 * A list of options that is controlled from the text field above it. The focus stays in the field.
 */
export class OptionList {
  readonly #field: HTMLInputElement
  readonly #list: HTMLElement
  #active: HTMLElement | undefined

  constructor(field: HTMLInputElement, list: HTMLElement) {
    this.#field = field
    this.#list = list
    // Moving the pointer activates an option, as the arrow keys do.
    list.addEventListener('mousemove', ({ target }) => {
      const option = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
      if (option !== null && option !== this.#active) this.#activate(option)
    })
  }

  /** Replaces the options. Enter then opens the active option. */
  show(
    content: readonly HTMLElement[],
    { isFirstActive }: { readonly isFirstActive: boolean },
  ): void {
    this.#list.replaceChildren(...content)
    const [first] = this.#number()
    this.#field.ariaExpanded = String(first !== undefined)
    this.#activate(isFirstActive ? first : undefined)
    this.#list.scrollTop = 0
  }

  add(content: readonly HTMLElement[]): void {
    this.#list.append(...content)
    this.#number()
  }

  #number(): readonly HTMLElement[] {
    const options = this.#options
    for (const [index, option] of options.entries()) option.id = `oct-option-${index}`
    return options
  }

  /** Activates the next or previous option, and wraps around at the ends of the list. */
  move(step: 1 | -1): void {
    const options = this.#options
    if (options.length === 0) return
    const at = this.#active === undefined ? -1 : options.indexOf(this.#active)
    const next = at < 0 && step < 0 ? options.length - 1 : at + step
    this.#activate(options[(next + options.length) % options.length])
    this.#active?.scrollIntoView({ block: 'nearest' })
  }

  /** Clicks the active option; returns false if no option is active. */
  open(how: { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean {
    if (this.#active === undefined) return false
    const { ctrlKey, metaKey } = how
    this.#active.dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey }),
    )
    return true
  }

  get #options(): readonly HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role=option]')]
  }

  #activate(option: HTMLElement | undefined): void {
    if (this.#active !== undefined) this.#active.ariaSelected = 'false'
    this.#active = option
    if (option === undefined) {
      this.#field.removeAttribute('aria-activedescendant')
      return
    }
    option.ariaSelected = 'true'
    this.#field.setAttribute('aria-activedescendant', option.id)
  }
}
