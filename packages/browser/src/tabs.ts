/**
 * Tabs and code groups. In HTML, they are radio buttons with labels, which work without scripts;
 * this script turns them into accessible tabs with the same appearance. Hidden panels can still be
 * found by the browser's own search and by fragments: see reveal-target.ts.
 *
 * It is loaded on pages with tabs; until then, the radio buttons work.
 *
 * When a reader chooses a title, it is selected in every group that has it, on this page and on
 * later ones.
 */
import type { ChosenTitles } from './chosen-titles.ts'

type Group = {
  /** The titles of the tabs; empty if they are not synchronized with other groups. */
  readonly titles: readonly string[]
  readonly show: (index: number) => void
}

/** Upgrades all tab groups on the page. */
export function upgradeTabs({ saveChosenTitle }: ChosenTitles): void {
  const groups: Group[] = []
  const choose = (group: Group, index: number, control: HTMLElement) => {
    const before = control.getBoundingClientRect().top
    const title = group.titles[index] ?? ''
    group.show(index)
    if (title !== '') {
      for (const { titles, show } of groups) if (titles.includes(title)) show(titles.indexOf(title))
      saveChosenTitle(title)
    }
    // Groups above may have changed their height, so the page is scrolled to keep the clicked
    // control under the pointer.
    scrollBy({ top: control.getBoundingClientRect().top - before, behavior: 'instant' })
  }
  for (const element of document.querySelectorAll<HTMLElement>('.oct-tabs'))
    groups.push(
      element.matches('.oct-tab-menu')
        ? upgradeMenu(element, choose)
        : upgradeList(element, choose),
    )
}

type Choose = (group: Group, index: number, control: HTMLElement) => void

type Part = {
  readonly radio: HTMLInputElement
  readonly label: HTMLElement
  readonly panel: HTMLElement
}

function partsOf(group: HTMLElement): readonly Part[] {
  return [...group.querySelectorAll<HTMLInputElement>(':scope > input')].map((radio) => {
    const label = radio.nextElementSibling as HTMLElement
    const panel = label.nextElementSibling as HTMLElement
    panel.dataset.title = label.textContent?.trim() ?? ''
    return { radio, label, panel }
  })
}

function upgradeList(element: HTMLElement, choose: Choose): Group {
  const parts = partsOf(element)
  const list = document.createElement('div')
  list.className = 'oct-tab-list'
  list.role = 'tablist'
  const tabs = parts.map(({ radio, label, panel }) => {
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.role = 'tab'
    tab.id = radio.id
    panel.id ||= `${radio.id}-panel`
    panel.role = 'tabpanel'
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('aria-labelledby', tab.id)
    tab.append(...label.childNodes)
    return tab
  })
  const group: Group = {
    titles: parts.map(({ radio }) => radio.value),
    show: (chosen) => {
      for (const [index, tab] of tabs.entries()) {
        tab.ariaSelected = `${index === chosen}`
        tab.tabIndex = index === chosen ? 0 : -1
      }
      showPanel(parts, chosen)
    },
  }
  for (const [index, tab] of tabs.entries())
    tab.addEventListener('click', () => choose(group, index, tab))
  list.addEventListener('keydown', (event) => {
    const index = nextIndex(event, tabs)
    if (index === undefined) return
    event.preventDefault()
    tabs[index]?.focus()
    tabs[index]?.click()
  })
  list.append(...tabs)
  replaceControls(element, { parts, controls: list, group })
  return group
}

/** Upgrades a code group with `dropdown`, which has a select element instead of a list of tabs. */
function upgradeMenu(element: HTMLElement, choose: Choose): Group {
  const parts = partsOf(element)
  const menu = document.createElement('select')
  menu.className = 'oct-tab-select'
  menu.ariaLabel = element.ariaLabel
  menu.append(...parts.map(({ panel }) => new Option(panel.dataset.title)))
  const group: Group = {
    titles: parts.map(({ radio }) => radio.value),
    show: (chosen) => {
      menu.selectedIndex = chosen
      showPanel(parts, chosen)
    },
  }
  menu.addEventListener('change', () => choose(group, menu.selectedIndex, menu))
  replaceControls(element, { parts, controls: menu, group })
  return group
}

type Controls = {
  readonly parts: readonly Part[]
  readonly controls: Element
  readonly group: Group
}

function replaceControls(element: HTMLElement, { parts, controls, group }: Controls): void {
  group.show(
    Math.max(
      0,
      parts.findIndex(({ radio }) => radio.checked),
    ),
  )
  for (const [index, { radio, label, panel }] of parts.entries()) {
    panel.addEventListener('beforematch', () => group.show(index))
    radio.remove()
    label.remove()
  }
  element.prepend(controls)
}

function showPanel(parts: readonly Part[], chosen: number): void {
  for (const [index, { panel }] of parts.entries()) {
    if (index === chosen) panel.removeAttribute('hidden')
    else panel.setAttribute('hidden', 'until-found')
  }
}

/**
 * Returns the tab to which a key moves. It wraps around, and arrow keys are reversed in
 * right-to-left text.
 */
function nextIndex(
  { key, currentTarget }: KeyboardEvent,
  tabs: readonly Element[],
): number | undefined {
  const at = tabs.indexOf(document.activeElement ?? document.body)
  const isReversed =
    currentTarget instanceof Element && getComputedStyle(currentTarget).direction === 'rtl'
  const step = isReversed ? -1 : 1
  switch (key) {
    case 'ArrowRight':
      return (at + step + tabs.length) % tabs.length
    case 'ArrowLeft':
      return (at - step + tabs.length) % tabs.length
    case 'Home':
      return 0
    case 'End':
      return tabs.length - 1
    default:
      return undefined
  }
}
