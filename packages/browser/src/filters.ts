/**
 * Filters the content of a page: changelog entries by tag, and views such as one per programming
 * language.
 */
import type { ChosenTitles } from './chosen-titles.ts'

export function startFilters(kept: ChosenTitles): void {
  for (const bar of document.querySelectorAll<HTMLElement>('[data-oct=tags]')) startTags(bar)
  const chooser = document.querySelector<HTMLElement>('[data-oct=views]')
  if (chooser !== null) startViews(chooser, kept)
}

/** Shows the entries that have one of the selected tags, or all entries if no tag is selected. */
function startTags(bar: HTMLElement): void {
  const updates = [...document.querySelectorAll<HTMLElement>('.oct-update')]
  const buttons = [...bar.querySelectorAll('button')]
  const isPressed = (button: HTMLButtonElement) => button.ariaPressed === 'true'
  onButton(bar, (button) => {
    button.ariaPressed = `${!isPressed(button)}`
    const wanted = buttons.filter(isPressed).map(({ dataset }) => dataset.tag ?? '')
    for (const update of updates) {
      const tags = JSON.parse(update.dataset.tags ?? '[]') as readonly string[]
      update.hidden = wanted.length > 0 && !wanted.some((tag) => tags.includes(tag))
    }
  })
}

/**
 * Shows one view at a time. The choice is stored together with the chosen tabs, since views and
 * tabs share titles.
 */
function startViews(chooser: HTMLElement, { chosenTitles, saveChosenTitle }: ChosenTitles): void {
  const views = [...document.querySelectorAll<HTMLElement>('.oct-view')]
  const titles = views.map(({ dataset }) => dataset.view ?? '')
  const show = (title: string) => {
    for (const button of chooser.querySelectorAll('button'))
      button.ariaPressed = `${button.dataset.view === title}`
    for (const [index, view] of views.entries()) {
      if (titles[index] === title) view.removeAttribute('hidden')
      else view.setAttribute('hidden', 'until-found')
    }
    markContents()
  }
  onButton(chooser, ({ dataset: { view: title = '' } }) => {
    show(title)
    saveChosenTitle(title)
  })
  for (const [index, view] of views.entries())
    view.addEventListener('beforematch', () => show(titles[index] ?? ''))
  const target = location.hash.length > 1 ? document.querySelector(':target') : null
  const named = target?.closest<HTMLElement>('.oct-view')?.dataset.view
  show(named ?? chosenTitles().find((title) => titles.includes(title)) ?? titles[0] ?? '')
  if (named !== undefined) target?.scrollIntoView()
}

function onButton(bar: HTMLElement, act: (button: HTMLButtonElement) => void): void {
  bar.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (button !== null) act(button)
  })
}

/** Hides the headings of hidden views in the table of contents. */
function markContents(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.oct-contents a[href^="#"]')) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    const item = link.closest('li')
    if (item !== null) item.hidden = heading?.closest('.oct-view[hidden]') != null
  }
}
