/**
 * Returns the accessibility problems that axe finds on an open page, and elements that overflow
 * horizontally.
 */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Violation = {
  readonly id: string
  readonly nodes: readonly {
    readonly target: readonly string[]
    readonly failureSummary: string
  }[]
}

export async function findFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>('axe.run()')
  const faults = violations.map(
    ({ id, nodes: [first] }) => `${id}: ${first?.target.join(' ')} ${first?.failureSummary}`,
  )
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return overflow > 0 ? [...faults, `${overflow} px wider than the window`] : faults
}
