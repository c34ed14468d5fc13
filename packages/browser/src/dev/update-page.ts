/**
 * Updates an open page without reloading it. Compares the previous HTML from the server with the
 * new one and applies only the differences, which preserves the scroll position, changes made by
 * scripts, and form input.
 */

/**
 * If one of these elements changes, the page is reloaded: scripts control them, or a policy cannot
 * be changed.
 */
const NEEDS_RELOAD =
  'script,meta[http-equiv],octavo-island,[data-oct=mermaid],[data-oct=tags],[data-oct=views]'

/** Updates the page; returns false if it must be reloaded instead. */
export async function updatePage(before: string, after: string): Promise<boolean> {
  const parser = new DOMParser()
  const was = parser.parseFromString(before, 'text/html')
  const now = parser.parseFromString(after, 'text/html')
  if (needsReload(was, now)) return false
  await updateHead(was.head, now.head)
  updateAttributes(document.documentElement, was.documentElement, now.documentElement)
  updateNode(document.body, was.body, now.body)
  return true
}

function needsReload(was: Document, now: Document): boolean {
  const texts = [was, now].map((page) =>
    [...page.querySelectorAll(NEEDS_RELOAD)].map(({ outerHTML }) => outerHTML).join('\n'),
  )
  return texts[0] !== texts[1]
}

/** Loads new stylesheets before removing old ones, so that the page is never unstyled. */
async function updateHead(was: HTMLHeadElement, now: HTMLHeadElement): Promise<void> {
  const removed = [...was.children].filter((old) => !hasEqual(now, old))
  const come = [...now.children].filter((fresh) => !hasEqual(was, fresh))
  const loading = come.map((fresh) => {
    const copy = document.importNode(fresh, true)
    // Each stylesheet is inserted after its predecessor, since the order of stylesheets matters.
    const previous = fresh.previousElementSibling
    const place = previous && [...document.head.children].find((one) => one.isEqualNode(previous))
    if (place) place.after(copy)
    else document.head.append(copy)
    return copy.matches('link[rel=stylesheet]') ? loaded(copy) : undefined
  })
  await Promise.all(loading)
  for (const old of removed)
    [...document.head.children].find((one) => one.isEqualNode(old))?.remove()
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

/** Updates a node; `live` is the current state of the node `was`. */
function updateNode(live: Node, was: Node, now: Node): void {
  if (was.isEqualNode(now)) return
  if (!(live instanceof Element && was instanceof Element && now instanceof Element)) {
    replace(live, now)
    return
  }
  // If a script has rebuilt the element, its children cannot be matched.
  const isKnown = live.nodeName === was.nodeName && live.childNodes.length === was.childNodes.length
  if (!isKnown || was.nodeName !== now.nodeName) {
    replace(live, now)
    return
  }
  updateAttributes(live, was, now)
  updateChildren(live, [...was.childNodes], [...now.childNodes])
}

/** Keeps equal nodes at the start and at the end; updates or replaces the nodes between them. */
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

/** Copies a node and shows controls that need scripts, as the page's script does. */
function prepare(node: Node): Node {
  const copy = document.importNode(node, true)
  if (!(copy instanceof Element)) return copy
  for (const control of [copy, ...copy.querySelectorAll('[data-oct][hidden]')])
    if (control.matches('[data-oct][hidden]')) control.removeAttribute('hidden')
  return copy
}

/** Keeps the selected tab in each tab group. */
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
