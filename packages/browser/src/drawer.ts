/**
 * Completes the drawer of narrow screens: around the pages of the section, it shows copies of what
 * the header has no room for. Without scripts, the drawer has only the pages, and the header has
 * the tabs and a menu with the rest.
 */

const STYLES = `@media (width < 60rem) {
  .oct-sidebar.oct-drawer:popover-open {
    display: flex; flex-direction: column; inline-size: 100%; max-inline-size: none; padding: 0 1rem;
    scroll-padding-block: 4.5rem 9rem; font-size: var(--oct-size-block);
  }
  .oct-drawer > :not(.oct-drawer-part) { margin-block-start: 1.5rem; }
  .oct-drawer :is(li a, summary) { min-block-size: 2.75rem; }
  .oct-drawer :is(.oct-menu li a, small) { min-block-size: 0; }
  .oct-drawer li a:not([aria-current]) { color: var(--oct-text); }
  .oct-drawer .oct-toggle { inline-size: 2.75rem; }
  .oct-drawer > ul { flex: none; margin-inline: -.75rem; }
  .oct-drawer > ul:not([class]) { flex: 1 0 auto; }
  .oct-drawer > .oct-anchors { margin-block-end: 0; }
  .oct-drawer-head, .oct-drawer-foot {
    position: sticky; z-index: 1; margin-inline: -1rem; padding-inline: 1rem;
    background: var(--oct-page);
  }
  .oct-drawer-head {
    inset-block-start: 0; flex: none; display: flex; align-items: center;
    justify-content: space-between; min-block-size: 3.5rem;
  }
  .oct-drawer-head button {
    inline-size: 2.75rem; block-size: 2.75rem; margin-inline-end: -.75rem; padding: 0; border: 0;
    background: none; color: var(--oct-muted); font: 300 2rem/1 var(--oct-font-body); cursor: pointer;
  }
  .oct-drawer-tabs {
    display: grid; grid-template-columns: 1fr 1fr; gap: .375rem .5rem; margin-inline: -1rem !important;
    padding: .25rem 1rem .75rem !important; border-block-end: 1px solid var(--oct-line);
  }
  .oct-drawer .oct-drawer-tabs a { block-size: 100%; margin: 0; font-weight: 500; }
  .oct-drawer .oct-drawer-tabs [aria-current] { background: var(--oct-tint); }
  .oct-drawer-foot {
    inset-block-end: 0; display: grid; grid-template-columns: 1fr 1fr; gap: .5rem;
    margin-block-start: auto; padding-block: .75rem; border-block-start: 1px solid var(--oct-line);
  }
  .oct-drawer-foot > :is(.oct-menu, .oct-theme) {
    block-size: 2.75rem; border-radius: var(--oct-radius); box-shadow: inset 0 0 0 1px var(--oct-line);
  }
  .oct-drawer-foot > .oct-menu > button { block-size: 100%; padding-inline: .75rem; font-size: 1rem; }
  .oct-drawer-foot > .oct-theme { inline-size: auto; }
  .oct-drawer-foot > .oct-primary.oct-primary {
    display: flex; align-items: center; justify-content: center; gap: .5rem; min-block-size: 2.75rem;
    border-radius: var(--oct-radius); background: var(--oct-button); color: var(--oct-on-button);
    font-weight: 500; text-align: center;
  }
  .oct-drawer-foot > :only-child, .oct-drawer-foot > :last-child:nth-child(odd) { grid-column: 1 / -1; }
}
@media (width >= 60rem) { .oct-drawer-part { display: none !important; } }`

let styles: CSSStyleSheet | undefined

/** Fills the drawer and makes the rest of the page inert until the drawer closes. */
export function openDrawer(drawer: HTMLElement): void {
  // The reader may have closed it while this script was loading.
  if (!drawer.matches(':popover-open')) return
  fillDrawer(drawer)
  const current = drawer.querySelector<HTMLElement>('[aria-current=page]')
  const first = current ?? drawer.querySelector<HTMLElement>('a')
  // The tabs at the top stay visible unless the current page is too far below them.
  drawer.scrollTop = 0
  first?.focus({ preventScroll: true })
  first?.scrollIntoView({ block: 'nearest' })
}

function fillDrawer(drawer: HTMLElement): void {
  if (styles === undefined) {
    styles = new CSSStyleSheet()
    styles.replaceSync(STYLES)
    document.adoptedStyleSheets.push(styles)
  }
  const parts = [head(drawer), tabs()].filter(hasContent)
  const last = [foot()].filter(hasContent)
  drawer.classList.add('oct-drawer')
  drawer.prepend(...parts)
  drawer.append(...last)
  const covered = coveredBy(drawer)
  for (const element of covered) element.inert = true
  drawer.addEventListener('beforetoggle', function leave({ newState }) {
    if (newState !== 'closed') return
    drawer.removeEventListener('beforetoggle', leave)
    // The browser returns the focus before it reports that the drawer is closed.
    for (const element of covered) element.inert = false
    drawer.addEventListener(
      'toggle',
      () => {
        for (const part of [...parts, ...last]) part.remove()
        drawer.classList.remove('oct-drawer')
      },
      { once: true },
    )
  })
}

function hasContent({ childElementCount }: HTMLElement): boolean {
  return childElementCount > 0
}

function head(drawer: HTMLElement): HTMLElement {
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = '×'
  close.ariaLabel = document.getElementById('oct-status')?.dataset.close ?? ''
  close.setAttribute('popovertarget', drawer.id)
  return makePart('div', 'oct-drawer-head', [...copies('.oct-logo'), close])
}

/** The menus of tabs stay in the header: a tab leads to pages that show its items. */
function tabs(): HTMLElement {
  const items = [...copies('.oct-tabbar > ul > li'), ...copies('.oct-navbar li:not(.oct-cta)')]
  for (const item of items) item.querySelector('.oct-menu')?.remove()
  return makePart('ul', 'oct-drawer-tabs', items)
}

function foot(): HTMLElement {
  const menus = copies('.oct-links > .oct-menu')
  for (const menu of menus) {
    const list = menu.querySelector('[popover]')
    if (list === null) continue
    list.id += '-drawer'
    menu.querySelector('button')?.setAttribute('popovertarget', list.id)
  }
  return makePart('div', 'oct-drawer-foot', [
    ...menus,
    ...copies('.oct-theme'),
    ...copies('.oct-primary'),
  ])
}

function makePart(tag: string, name: string, content: readonly HTMLElement[]): HTMLElement {
  const part = document.createElement(tag)
  part.className = `oct-drawer-part ${name}`
  part.append(...content)
  return part
}

function copies(selector: string): readonly HTMLElement[] {
  const found = document.querySelectorAll<HTMLElement>(`.oct-header :is(${selector})`)
  return [...found].map((element) => element.cloneNode(true) as HTMLElement)
}

/** Returns everything outside of the drawer, except the element that announces messages. */
function coveredBy(drawer: HTMLElement): readonly HTMLElement[] {
  const covered: HTMLElement[] = []
  for (let at = drawer; at !== document.body && at.parentElement; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      const isCovered = other !== at && other instanceof HTMLElement && other.id !== 'oct-status'
      if (isCovered && !other.inert) covered.push(other)
    }
  }
  return covered
}
