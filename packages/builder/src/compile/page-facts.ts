/** What a build has to know of every page, also of those whose files it does not write again. */
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

/** Facts are small and read by every build; the body is read when its files are written. */
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
