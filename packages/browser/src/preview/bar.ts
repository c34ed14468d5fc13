/**
 * The preview bar: it shows the branch, the changed pages, and the changes in this page's text. The
 * service adds it; it is not part of the deployment. The key `d` shows or hides the changes.
 */
import { type Marked, markChanges } from './mark-changes.ts'
import { STYLES } from './styles.ts'

type Changes = {
  readonly branch: string
  readonly number: number
  readonly base: string | null
  readonly pages?: {
    readonly added: readonly string[]
    readonly changed: readonly string[]
    readonly removed: readonly string[]
    readonly moved: readonly { readonly from: string; readonly to: string }[]
  }
}

/** This script is at `<base>/_octavo/host.js`. */
const base = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const page = location.pathname.slice(base.length).replace(/(?<=.)\/$/, '') || '/'
let marked: Marked | undefined
let at = -1

const host = document.createElement('octavo-preview')
const root = host.attachShadow({ mode: 'open' })
const styles = new CSSStyleSheet()
styles.replaceSync(STYLES)
root.adoptedStyleSheets = [styles]
const marks = new CSSStyleSheet()
marks.replaceSync(
  'ins[data-oct-preview]{background:#22c55e33;text-decoration:none;border-radius:2px}' +
    'del[data-oct-preview]{background:#ef444433;text-decoration:line-through;border-radius:2px}',
)

// Until a fork's preview is approved, its origin is opaque, so it cannot send requests.
if (self.origin === 'null') {
  const text = 'Scripts, search and changes are disabled until a maintainer approves this fork.'
  showBar('Preview of a fork', [element('span', { className: 'note', textContent: text })])
} else {
  const response = await fetch(`${base}/_octavo/changes.json`)
  if (response.ok) show((await response.json()) as Changes)
}

function show({ branch, number, base: live, pages }: Changes): void {
  const name = `Preview of ${branch}, #${number}`
  if (live === null || pages === undefined) {
    showBar(name, [
      element('span', { textContent: 'There is no live deployment to compare with.' }),
    ])
    return
  }
  const before = pages.moved.find(({ to }) => to === page)?.from ?? page
  const isNew = pages.added.includes(page)
  const isChanged = pages.changed.includes(page) || before !== page
  const text = isNew ? 'This page is new.' : 'This page did not change.'
  const own = isChanged && !isNew ? toggle(before) : element('span', { textContent: text })
  showBar(name, [pageList(pages), own])
}

function showBar(name: string, parts: readonly Element[]): void {
  const bar = element('div', { className: 'bar' })
  bar.setAttribute('role', 'region')
  bar.setAttribute('aria-label', 'Preview')
  bar.append(element('span', { className: 'name', textContent: name }), ...parts)
  const close = element('button', { className: 'close', textContent: '×' })
  close.setAttribute('aria-label', 'Close')
  close.onclick = () => host.remove()
  bar.append(close)
  root.append(bar)
  document.adoptedStyleSheets.push(marks)
  // The bar is outside the body, so that the page does not move.
  document.documentElement.append(host)
}

function pageList({ added, changed, removed, moved }: NonNullable<Changes['pages']>): Element {
  const count = added.length + changed.length + removed.length + moved.length
  const details = element('details', {})
  const noun = count === 1 ? 'page' : 'pages'
  details.append(element('summary', { textContent: `${count} ${noun} changed` }))
  const list = element('ul', {})
  const add = (word: string, address: string, pageExists: boolean) => {
    const item = element('li', {})
    item.append(element('span', { className: word, textContent: word }))
    item.append(
      pageExists
        ? element('a', { href: base + address, textContent: address })
        : element('span', { textContent: address }),
    )
    list.append(item)
  }
  for (const address of changed) add('changed', address, true)
  for (const address of added) add('added', address, true)
  for (const { from, to } of moved) {
    add('moved', to, true)
    add('removed', from, false)
  }
  for (const address of removed) add('removed', address, false)
  if (count > 0) details.append(list)
  return details
}

function toggle(before: string): Element {
  const box = element('span', { className: 'changes' })
  const button = element('button', { textContent: 'Show changes' })
  const next = element('button', { textContent: 'Next', hidden: true })
  button.setAttribute('aria-pressed', 'false')
  button.title = 'd'
  const press = async () => {
    const article = document.querySelector('main article') ?? document.querySelector('main')
    if (article === null) return
    if (marked === undefined) {
      const reply = await fetch(`${base}/_octavo/live${before}`)
      if (!reply.ok) return
      const live = new DOMParser().parseFromString(await reply.text(), 'text/html')
      marked = markChanges(live.querySelector('main article') ?? live.body, article)
      at = -1
    } else {
      marked.remove()
      marked = undefined
    }
    const isOn = marked !== undefined
    button.setAttribute('aria-pressed', String(isOn))
    button.textContent = isOn ? 'Hide changes' : 'Show changes'
    next.hidden = !isOn || marked?.places.length === 0
    if (isOn) step()
  }
  const step = () => {
    const places = marked?.places ?? []
    if (places.length === 0) return
    at = (at + 1) % places.length
    places[at]?.scrollIntoView({ block: 'center' })
  }
  button.onclick = () => void press()
  next.onclick = step
  addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key !== 'd' || ctrlKey || metaKey || altKey || isTyping(target)) return
    void press()
  })
  box.append(button, next)
  return box
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:input|textarea|select)$/.test(target.localName))
  )
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}
