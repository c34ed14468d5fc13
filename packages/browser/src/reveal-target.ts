/** Shows what an address like `#install` names, also inside closed tabs and accordions. */
export function reveal(hash: string): Element | null {
  const target = document.getElementById(decode(hash.slice(1)))
  return target !== null && openAround(target) ? target : null
}

/** Follows the address of the page. */
export function revealAddress(): void {
  const { hash } = location
  // The browser could not scroll to what was hidden.
  reveal(hash)?.scrollIntoView()
  // Nothing for a browser to mark, although something was asked for.
  if (hash !== '' && document.querySelector(':target') === null)
    void import('./old-address.ts').then(({ followOldAddress }) => followOldAddress())
}

/** Opens the target and all around it; true if something was closed. */
function openAround(target: Element): boolean {
  let isChanged = false
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && !at.open) at.open = isChanged = true
    else if (at.matches('[hidden=until-found]')) {
      // What the browser itself says when its search finds something there: see tabs.ts.
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
