// Runs in the page. Returns problems of the header and all its visible texts, whose contrast the
// caller measures in a screenshot.
;(() => {
  const PARTS = '.oct-banner, .oct-header, .oct-bar'
  const CONTROLS = 'a, button, input, select, summary, .oct-logo img'
  const screen = { left: 0, right: innerWidth }

  const name = (element) => {
    const classes = [...element.classList].slice(0, 2).map((one) => `.${one}`)
    const text = (element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 24)
    const id = element.id ? `#${element.id}` : ''
    return `${element.localName}${id}${classes.join('')}${text && ` "${text}"`}`
  }

  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

  const cross = (a, b) => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  })
  const width = (box) => box.right - box.left
  const isEmpty = (box) => width(box) < 2 || box.bottom - box.top < 2

  // The part of a box that its scrolling and clipping ancestors show.
  const shownPart = (box, from) => {
    let part = box
    let isScrolled = false
    for (let at = from; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, position } = getComputedStyle(at)
      if (overflowX !== 'visible') {
        const before = width(part)
        part = cross(part, at.getBoundingClientRect())
        if (overflowX !== 'hidden' && overflowX !== 'clip' && width(part) < before)
          isScrolled = true
      }
      if (position === 'fixed') break
    }
    return { part, isScrolled }
  }

  const textsIn = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      if (node.data.trim() === '' || !isShown(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        const { part, isScrolled } = shownPart(rect, parent)
        if (!isEmpty(part)) found.push({ parent, part, isScrolled, text: node.data.trim() })
      }
    }
    return found
  }

  // The rules of the author's stylesheets that set something of the element or its ancestors.
  const authorRules = (element) => {
    const found = new Set()
    const visit = (rules) => {
      for (const rule of rules) {
        if (rule.cssRules?.length > 0 && rule.selectorText === undefined) visit(rule.cssRules)
        if (rule.selectorText === undefined) continue
        const target = element.closest(rule.selectorText.replaceAll(/::[\w-]+/g, ''))
        if (target?.closest(PARTS)) found.add(rule.selectorText.replaceAll(/\s+/g, ' '))
      }
    }
    for (const sheet of document.styleSheets) {
      if (sheet.href?.includes('/_octavo/') && !sheet.href.includes('/author')) continue
      try {
        visit(sheet.cssRules)
      } catch {
        // A stylesheet of another host.
      }
    }
    return [...found].slice(0, 4)
  }

  const problems = []
  const report = (kind, element, more = '') =>
    problems.push({ kind, what: name(element) + more, rules: authorRules(element) })

  const parts = [...document.querySelectorAll(PARTS)].filter(isShown)
  const controls = parts
    .flatMap((part) => [...part.querySelectorAll(CONTROLS)])
    .filter(isShown)
    .map((element) => {
      const boxes = [element.getBoundingClientRect(), ...textsIn(element).map(({ part }) => part)]
      const whole = {
        left: Math.min(...boxes.map((box) => box.left)),
        right: Math.max(...boxes.map((box) => box.right)),
        top: Math.min(...boxes.map((box) => box.top)),
        bottom: Math.max(...boxes.map((box) => box.bottom)),
      }
      // A link that wraps is only where its lines are.
      const isInline = getComputedStyle(element).display === 'inline'
      const lines = isInline ? [...element.getClientRects()] : [whole]
      return { element, whole, lines, ...shownPart(whole, element.parentElement) }
    })
    .filter(({ whole }) => !isEmpty(whole))

  for (const { element, whole, part, isScrolled } of controls) {
    // A call to action for which there is no room is in the menu.
    if (isScrolled || (isEmpty(part) && element.closest('.oct-cta') !== null)) continue
    if (isEmpty(part) || width(part) < width(whole) - 2) report('cut', element)
    else if (part.left < screen.left - 1 || part.right > screen.right + 1)
      report('outside', element, ` ${Math.round(part.left)}–${Math.round(part.right)}`)
    else {
      const at = document.elementFromPoint(
        (part.left + part.right) / 2,
        (part.top + part.bottom) / 2,
      )
      if (at !== null && !element.contains(at) && !at.contains(element))
        report('covered', element, ` by ${name(at)}`)
    }
  }
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      const both = cross(one.part, other.part)
      const isIn = (a) => other.lines.some((b) => !isEmpty(cross(both, cross(a, b))))
      if (one.lines.some(isIn)) report('overlap', one.element, ` and ${name(other.element)}`)
    }

  if (document.documentElement.scrollWidth > innerWidth + 1) {
    const wide = [...document.body.querySelectorAll('*')].filter((element) => {
      const rect = element.getBoundingClientRect()
      const { part } = shownPart(rect, element.parentElement)
      return !isEmpty(rect) && (part.right > innerWidth + 1 || part.left < -1) && width(part) > 0
    })
    const inner = wide.filter(
      (element) => !wide.some((other) => other !== element && element.contains(other)),
    )
    const culprit = inner[0] ?? document.body
    report('wide', culprit, ` ${document.documentElement.scrollWidth} in ${innerWidth}`)
  }

  const alphaOf = (element) => {
    let alpha = 1
    for (let at = element; at !== null; at = at.parentElement) alpha *= getComputedStyle(at).opacity
    return alpha
  }
  const texts = parts.flatMap(textsIn).flatMap(({ parent, part, text }) => {
    const style = getComputedStyle(parent)
    const box = cross(part, { left: 0, right: innerWidth, top: 0, bottom: innerHeight })
    if (isEmpty(box) || style.webkitBackgroundClip === 'text') return []
    return [
      {
        what: `${name(parent)}`,
        text: text.slice(0, 24),
        box,
        ink: style.webkitTextFillColor,
        alpha: alphaOf(parent),
        rules: authorRules(parent),
      },
    ]
  })
  return {
    problems,
    texts,
    bottom: Math.min(innerHeight, Math.max(1, ...texts.map(({ box }) => box.bottom + 1))),
  }
})()
