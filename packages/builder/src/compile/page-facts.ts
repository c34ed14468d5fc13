/** The facts that a build needs of every page, including pages whose files are not rewritten. */
import type { CompiledPage } from './compile-page.ts'

const FACTS = [
  'diagnostics',
  'links',
  'ids',
  'files',
  'islands',
  'origins',
  'features',
  'failed',
] as const satisfies readonly (keyof CompiledPage)[]

export type PageFacts = Pick<CompiledPage, (typeof FACTS)[number]>
export type PageBody = Omit<CompiledPage, (typeof FACTS)[number]>

const IS_FACT: ReadonlySet<string> = new Set(FACTS)

/** Splits a page: every build reads the small facts, but the body only to write its files. */
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
