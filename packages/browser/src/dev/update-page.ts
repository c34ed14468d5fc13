/**
 * Brings an open page up to date without loading it again. What the server sent before and what it
 * sends now are compared, and only the difference is applied to what is on screen: so the place of
 * the reader, what scripts have made of the page and what was typed into it all stay.
 */

/** Scripts have taken these over, or a policy cannot be changed: the page is loaded again. */
const NEEDS_LOADING =
  'script,meta[http-equiv],octavo-island,[data-oct=mermaid],[data-oct=tags],[data-oct=views]'

/** False when the page has to be loaded again. */
export async function updatePage(before: string, after: string): Promise<boolean> {
  const parser = new DOMParser()
  const was = parser.parseFromString(before, 'text/html')
  const now = parser.parseFromString(after, 'text/html')
  if (needsLoading(was, now)) return false
  await updateHead(was.head, now.head)
  updateAttributes(document.documentElement, was.documentElement, now.documentElement)
  updateNode(document.body, was.body, now.body)
  return true
}

function needsLoading(was: Document, now: Document): boolean {
  const texts = [was, now].map((page) =>
    [...page.querySelectorAll(NEEDS_LOADING)].map(({ outerHTML }) => outerHTML).join('\n'),
  )
  return texts[0] !== texts[1]
}

/** New stylesheets are loaded before old ones go, so that nothing is shown without style. */
async function updateHead(was: HTMLHeadElement, now: HTMLHeadElement): Promise<void> {
  const gone = [...was.children].filter((old) => !hasEqual(now, old))
  const come = [...now.children].filter((fresh) => !hasEqual(was, fresh))
  const loading = come.map((fresh) => {
    const copy = document.importNode(fresh, true)
    // After what stands before it: the order of stylesheets counts.
    const previous = fresh.previousElementSibling
    const place = previous && [...document.head.children].find((one) => one.isEqualNode(previous))
    if (place) place.after(copy)
    else document.head.append(copy)
    return copy.matches('link[rel=stylesheet]') ? loaded(copy) : undefined
  })
  await Promise.all(loading)
  for (const old of gone) [...document.head.children].find((one) => one.isEqualNode(old))?.remove()
}

function hasEqual(head: HTMLHeadElement, node: Element): boolean {
  return [...head.children].some((one) => one.isEqualNode(node))
}

function loaded(element: Element): Promise<unknown> {
  return new Promise((resolve) => {
    element.addEventListener('load', resolve, { once: true })
    element.addEventListener('error', resolve, { once: true })
  })
}

/** `live` is what became of `was`. */
function updateNode(live: Node, was: Node, now: Node): void {
  if (was.isEqualNode(now)) return
  if (!(live instanceof Element && was instanceof Element && now instanceof Element)) {
    replace(live, now)
    return
  }
  // Where a script has rebuilt it, nobody knows which part is which.
  const isKnown = live.nodeName === was.nodeName && live.childNodes.length === was.childNodes.length
  if (!isKnown || was.nodeName !== now.nodeName) {
    replace(live, now)
    return
  }
  updateAttributes(live, was, now)
  updateChildren(live, [...was.childNodes], [...now.childNodes])
}

/** Equal nodes at the start and at the end stay; of the rest each becomes the other, or is replaced. */
function updateChildren(live: Element, was: readonly Node[], now: readonly Node[]): void {
  let start = 0
  while (isSame(was[start], now[start])) start += 1
  let end = 0
  while (
    end < Math.min(was.length, now.length) - start &&
    isSame(was.at(-1 - end), now.at(-1 - end))
  )
    end += 1
  const old = [...live.childNodes].slice(start, was.length - end)
  const wasRest = was.slice(start, was.length - end)
  const nowRest = now.slice(start, now.length - end)
  if (wasRest.length === nowRest.length) {
    for (const [index, node] of old.entries()) {
      const [before, after] = [wasRest[index], nowRest[index]]
      if (before !== undefined && after !== undefined) updateNode(node, before, after)
    }
    return
  }
  const place = live.childNodes[was.length - end] ?? null
  for (const node of nowRest) live.insertBefore(prepare(node), place)
  for (const node of old) node.remove()
}

function isSame(a: Node | undefined, b: Node | undefined): boolean {
  return a !== undefined && b !== undefined && a.isEqualNode(b)
}

function updateAttributes(live: Element, was: Element, now: Element): void {
  for (const { name, value } of now.attributes)
    if (was.getAttribute(name) !== value) live.setAttribute(name, value)
  for (const { name } of was.attributes) if (!now.hasAttribute(name)) live.removeAttribute(name)
}

function replace(live: Node, now: Node): void {
  const fresh = prepare(now)
  if (live instanceof Element && fresh instanceof Element) keepTabs(live, fresh)
  live.parentNode?.replaceChild(fresh, live)
}

/** As the script of pages leaves it: what needs script is shown. */
function prepare(node: Node): Node {
  const copy = document.importNode(node, true)
  if (!(copy instanceof Element)) return copy
  for (const control of [copy, ...copy.querySelectorAll('[data-oct][hidden]')])
    if (control.matches('[data-oct][hidden]')) control.removeAttribute('hidden')
  return copy
}

/** Groups of tabs have the same tab open as before. */
function keepTabs(live: Element, fresh: Element): void {
  const groups = (element: Element) => [
    ...(element.matches('.oct-tabs') ? [element] : []),
    ...element.querySelectorAll('.oct-tabs'),
  ]
  const after = groups(fresh)
  for (const [index, group] of groups(live).entries()) {
    const tabs = [...group.querySelectorAll(':scope > .oct-tab-list > [role=tab]')]
    const open = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true')
    const input = after[index]?.querySelectorAll<HTMLInputElement>(':scope > input')[open]
    if (input !== undefined) input.checked = true
  }
}
