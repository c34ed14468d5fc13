/** Reveals the target of a fragment such as `#install`, even inside closed tabs and accordions. */
export function reveal(hash: string): Element | null {
  const target = document.getElementById(decode(hash.slice(1)))
  return target !== null && openAround(target) ? target : null
}

/** Reveals the target of the page's URL. */
export function revealAddress(): void {
  const { hash } = location
  // The browser could not scroll to a hidden element.
  reveal(hash)?.scrollIntoView()
  // The fragment has no target on this page.
  if (hash !== '' && document.querySelector(':target') === null)
    void import('./old-address.ts').then(({ redirectOldFragment }) => redirectOldFragment())
}

/** Opens the target and its ancestors; returns true if any was closed. */
function openAround(target: Element): boolean {
  let isChanged = false
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && !at.open) at.open = isChanged = true
    else if (at.matches('[hidden=until-found]')) {
      // The event that the browser's own search dispatches there: see tabs.ts.
      at.dispatchEvent(new Event('beforematch'))
      isChanged = true
    }
  }
  return isChanged
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
