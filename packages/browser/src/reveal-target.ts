/**
 * Reveals the target of a fragment such as `#install`, even inside closed tabs and accordions.
 * Returns the target if it was hidden.
 */
export function reveal(hash: string): Element | null {
  const target = document.getElementById(decode(hash.slice(1)))
  return target !== null && openAround(target) ? target : null
}

/** Reveals the target of the fragment in the page's URL. */
export function revealAddress(): void {
  const { hash } = location
  // The target was hidden, so the browser could not scroll to it.
  reveal(hash)?.scrollIntoView()
  // This page has no target for the fragment.
  if (hash !== '' && document.querySelector(':target') === null)
    void import('./old-address.ts').then(({ redirectOldFragment }) => redirectOldFragment())
}

/** Opens the target and its ancestors; returns true if one of them was closed. */
function openAround(target: Element): boolean {
  let isChanged = false
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && !at.open) at.open = isChanged = true
    else if (at.matches('[hidden=until-found]')) {
      // The browser's find-in-page feature dispatches the same event: see tabs.ts.
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
