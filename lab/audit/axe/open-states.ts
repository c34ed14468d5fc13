/** Opens the dialogs and menus of a page, one after the other, as a reader does. */
import type { Page } from 'playwright-core'

export type OpenState = {
  readonly name: string
  /** What the reader presses. A page without a visible one does not have this state. */
  readonly opener: string
  /** What is visible when the state is reached. */
  readonly shown: string
  /** What the reader types into the focused field then. */
  readonly query?: string
}

const DIALOG = 'dialog[open]'
const RESULT = `${DIALOG} [role=option]`
const PLAYGROUND = `${DIALOG} .oct-playground :is(input, select, textarea)`

/** Menus that exist at any width of the window. */
const MENUS: readonly OpenState[] = [
  { name: 'search', opener: '.oct-search', shown: `${DIALOG} input` },
  { name: 'search results', opener: '.oct-search', shown: RESULT, query: 'a' },
  { name: 'no search results', opener: '.oct-search', shown: `${DIALOG} input`, query: 'zqxzqx' },
  { name: 'playground', opener: '[data-oct=try]', shown: PLAYGROUND },
  { name: 'assistant', opener: '.oct-ask', shown: 'octavo-assistant textarea' },
  ...['page-menu', 'menu-version', 'menu-language', 'tabbar'].map((part) => ({
    name: part,
    opener: `.oct-${part} button[popovertarget]`,
    shown: ':popover-open',
  })),
  { name: 'contents', opener: '.oct-contents-button', shown: ':popover-open' },
]

const DRAWER: OpenState = {
  name: 'phone menu',
  opener: '.oct-menu-button',
  shown: `:is(:popover-open, ${DIALOG})`,
}

export const OPEN_STATES: readonly OpenState[] = [...MENUS, DRAWER]

const OPENING_MS_MAX = 5_000

/** Opens a state, and returns a function that closes it; undefined if the page does not have it. */
export async function openState(
  page: Page,
  { opener, shown, query }: OpenState,
): Promise<(() => Promise<void>) | undefined> {
  const button = page.locator(opener).filter({ visible: true }).first()
  if ((await button.count()) === 0) return undefined
  await button.click({ timeout: OPENING_MS_MAX })
  if (query !== undefined) await page.locator(`${DIALOG} input`).first().fill(query)
  await page.locator(shown).first().waitFor({ timeout: OPENING_MS_MAX })
  await page.evaluate(SETTLED)
  return async () => {
    // The first Escape may only clear a field.
    if (query !== undefined) await page.locator(`${DIALOG} input`).first().fill('')
    await page.keyboard.press('Escape')
    await page.locator(`:is(${DIALOG}, :popover-open)`).first().waitFor({ state: 'hidden' })
  }
}

/**
 * Resolves when all transitions have ended, because axe measures colors that are half transparent.
 * Animations that follow the scroll position or repeat never end.
 */
const SETTLED = `new Promise((resolve) => setTimeout(resolve, 150))
  .then(() => Promise.allSettled(document.getAnimations()
    .filter((one) => one.timeline === document.timeline && one.effect?.getComputedTiming().iterations === 1)
    .map((one) => one.finished)))
  .then(() => undefined)`
