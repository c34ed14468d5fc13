/** Loads the fields of a schema level when a reader first opens it. */
import { afterPaint } from './page/after-paint.ts'
import { Fragments } from './page/fragments.ts'

export async function loadNestedFields(details: HTMLElement): Promise<void> {
  const { ref = '' } = details.dataset
  if (details.dataset.state !== undefined) return
  details.dataset.state = 'loading'
  try {
    const loading = Fragments.of(details).load(`html ${ref}`)
    // The open level is painted before it is filled, even if the response is fast.
    await new Promise<void>(afterPaint)
    const html = await loading
    const box = document.createElement('div')
    // The build created this HTML from escaped text, and the site itself serves it.
    box.innerHTML = typeof html === 'string' ? html : ''
    makeUnique(box, details)
    const level = document.createElement('div')
    details.append(level)
    grow(level, [...box.childNodes])
    details.dataset.state = 'done'
  } catch {
    delete details.dataset.state
    const failure = document.createElement('p')
    failure.textContent = details.dataset.failed ?? ''
    details.querySelector(':scope > p')?.remove()
    details.append(failure)
  }
}

/** How many fields are added at a time; more would make the page unresponsive. */
const STEP = 15

/** Adds fields in batches, and lets the browser paint between them. */
function grow(level: HTMLElement, nodes: readonly ChildNode[]): void {
  if (nodes.length === 0) return
  afterPaint(() => {
    level.append(...nodes.slice(0, STEP))
    grow(level, nodes.slice(STEP))
  })
}

/** Makes IDs unique, since the same part of a schema may be open in several places. */
function makeUnique(box: HTMLElement, details: HTMLElement): void {
  const number = [...document.querySelectorAll('.oct-deeper')].indexOf(details)
  const around = details.closest('.oct-field')?.id ?? `level-${number}`
  for (const one of box.querySelectorAll<HTMLElement>('[id], [name], [for], a[href^="#"]')) {
    if (one.id !== '') one.id = renamed(one.id, around)
    const label = one.getAttribute('for')
    if (label !== null) one.setAttribute('for', renamed(label, around))
    const group = one.getAttribute('name')
    if (group !== null) one.setAttribute('name', `${group}-${around}`)
    const link = one.getAttribute('href')
    if (link?.startsWith('#')) one.setAttribute('href', `#${renamed(link.slice(1), around)}`)
  }
  for (const hidden of box.querySelectorAll<HTMLElement>('[data-oct][hidden]')) {
    hidden.hidden = false
  }
}

function renamed(id: string, around: string): string {
  return id.startsWith('deeper-') ? `${around}-${id.slice('deeper-'.length)}` : `${around}-${id}`
}
