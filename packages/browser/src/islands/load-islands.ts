/**
 * The only script that a page with islands loads at first. It loads the code of each
 * `<octavo-island>` when the island comes near the viewport. Until then, without JavaScript, and if
 * the code fails, the static content is shown.
 *
 * An island is a custom element, so an island in a slot of another island starts when it is shown.
 * An island needs a box to be observed: with `display: contents` on `octavo-island`, it would never
 * start.
 */

const MARGIN = '200px'

class OctavoIsland extends HTMLElement {
  #isStarted = false

  connectedCallback(): void {
    if (this.#isStarted) return
    if (typeof IntersectionObserver === 'undefined') this.#start()
    else this.#startWhenNear()
  }

  #startWhenNear(): void {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        this.#start()
      },
      { rootMargin: MARGIN },
    )
    // An island that only adds event handlers has no box, so the element inside it is observed.
    observer.observe((this.#isAttached && this.firstElementChild) || this)
  }

  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    // The static content stays, and the error is logged to the console.
    this.#load().catch(console.error)
  }

  get #isAttached(): boolean {
    return this.dataset.attach !== undefined
  }

  async #load(): Promise<void> {
    const { module: address = '', name = '', props = '{}' } = this.dataset
    const [{ attach, mount }, module] = await Promise.all([import('./runtime.ts'), import(address)])
    const slots = new Map<string, string>()
    for (const template of this.querySelectorAll<HTMLTemplateElement>(
      ':scope > template[data-slot]',
    ))
      slots.set(template.dataset.slot ?? '', template.innerHTML)
    const component: unknown = module[name]
    if (typeof component !== 'function') throw new Error(`${address} has no ${name}`)
    const island = { component, props: JSON.parse(props), slots }
    if (this.#isAttached) attach(this, island)
    else mount(this, island)
  }
}

customElements.define('octavo-island', OctavoIsland)
