/**
 * Defines the facts that a build needs about every page, even about a page whose files do not
 * change.
 */
import type { CompiledPage } from './compile-page.ts'

const FACTS = [
  'diagnostics',
  'links',
  'ids',
  'files',
  'islands',
  'islandCode',
  'origins',
  'features',
  'failed',
] as const satisfies readonly (keyof CompiledPage)[]

export type PageFacts = Pick<CompiledPage, (typeof FACTS)[number]>
export type PageBody = Omit<CompiledPage, (typeof FACTS)[number]>

const IS_FACT: ReadonlySet<string> = new Set(FACTS)

/**
 * Splits a page into its facts, which are small and read by every build, and its body, which is
 * only read to write its files.
 */
export function splitPage(page: CompiledPage): {
  readonly facts: PageFacts
  readonly body: PageBody
} {
  const entries = Object.entries(page)
  return {
    facts: Object.fromEntries(entries.filter(([name]) => IS_FACT.has(name))) as PageFacts,
    body: Object.fromEntries(entries.filter(([name]) => !IS_FACT.has(name))) as PageBody,
  }
}
