/**
 * The only initial script of a page with islands: loads the code of each `<octavo-island>` when it
 * comes
 * near the viewport. Until then, without JavaScript, and if the code fails, the static content is
 * shown.
 *
 * An island is a custom element, so islands in a slot of another one start when they are shown.
 * They
 * need a box to be observed: `display: contents` on `octavo-island` would prevent their start.
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
    observer.observe(this)
  }

  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    // The static content stays; the reason is logged to the console.
    this.#load().catch(console.error)
  }

  async #load(): Promise<void> {
    const { module: address = '', name = '', props = '{}' } = this.dataset
    const [{ mount }, module] = await Promise.all([import('./runtime.ts'), import(address)])
    const slots = new Map<string, string>()
    for (const template of this.querySelectorAll<HTMLTemplateElement>(
      ':scope > template[data-slot]',
    ))
      slots.set(template.dataset.slot ?? '', template.innerHTML)
    const component: unknown = module[name]
    if (typeof component !== 'function') throw new Error(`${address} has no ${name}`)
    mount(this, { component, props: JSON.parse(props), slots })
  }
}

customElements.define('octavo-island', OctavoIsland)
