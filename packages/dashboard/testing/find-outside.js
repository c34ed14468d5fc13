/**
 * Runs in a page and lists what is drawn outside its container: wider than its card, cell, notice
 * or window, or below the end of its card. What scrolls or is cut on purpose is inside.
 */
;(() => {
  const CONTAINERS = '.card, td, th, .notice, .code, .field, main, body'
  /** Widths are fractions of pixels. */
  const TOLERANCE = 1
  const faults = new Map()

  const nameOf = (element) => [element.localName, ...element.classList].join('.')

  /** Is true if nothing inside sticks out: it scrolls, is cut, or is only for screen readers. */
  const holdsItsContent = (element) => {
    const { overflowX, clipPath, position } = getComputedStyle(element)
    return overflowX !== 'visible' || clipPath !== 'none' || position === 'fixed'
  }

  function compare(box, from, words) {
    if (box.width === 0 || box.height === 0) return
    for (let at = from; at !== null; at = at.parentElement) {
      if (at.matches(CONTAINERS)) {
        const frame = at.getBoundingClientRect()
        const below = at.matches('.card') ? box.bottom - frame.bottom : 0
        const over = Math.max(box.right - frame.right, frame.left - box.left, below)
        if (over > TOLERANCE && !faults.has(at))
          faults.set(at, `${words} is ${Math.round(over)} px outside ${nameOf(at)}`)
      }
      if (holdsItsContent(at)) return
    }
  }

  const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT
  const nodes = document.createTreeWalker(document.body, kinds)
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const parent = node.parentElement
    const shown = node instanceof Element ? node : parent
    if (parent.closest('svg') !== null || !shown.checkVisibility()) continue
    if (node instanceof Element) {
      const { clipPath } = getComputedStyle(node)
      if (clipPath === 'none') compare(node.getBoundingClientRect(), parent, nameOf(node))
    } else {
      const range = document.createRange()
      range.selectNodeContents(node)
      const text = `"${node.textContent.trim().slice(0, 40)}"`
      for (const box of range.getClientRects()) compare(box, parent, text)
    }
  }
  return [...faults.values()]
})()
