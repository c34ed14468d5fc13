/** Operates a page with the keyboard only: Tab, Enter, Space, Escape and typing. */
import type { Locator, Page } from 'playwright-core'

const TABS_MAX = 150

export type Keyboard = {
  /** Presses Tab until the target has the focus. Throws if it never gets the focus. */
  readonly reach: (target: Locator) => Promise<void>
  /** Moves the focus to the target and presses a key, Enter by default. */
  readonly press: (target: Locator, key?: 'Enter' | 'Space') => Promise<void>
  /** Moves the focus to the field with this label, and replaces its text. */
  readonly type: (label: string, text: string) => Promise<void>
  /** Opens a section of the project with the side navigation. */
  readonly open: (section: string) => Promise<void>
}

export function openKeyboard(page: Page): Keyboard {
  async function reach(target: Locator): Promise<void> {
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      await page.keyboard.press('Tab')
      if ((await target.and(page.locator(':focus')).count()) === 1) return
    }
    throw new Error(`${target} cannot be reached`)
  }
  async function press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await reach(target)
    await page.keyboard.press(key)
  }
  return {
    reach,
    press,
    async type(label, text) {
      await reach(page.getByLabel(label, { exact: true }))
      await page.keyboard.type(text)
    },
    async open(name) {
      const sections = page.getByRole('navigation', { name: 'Sections of the project' })
      // The name of a link can end with a count, such as `Gaps 3 open`.
      await press(sections.getByRole('link', { name: new RegExp(`^${name}( \\d|$)`) }))
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    },
  }
}
