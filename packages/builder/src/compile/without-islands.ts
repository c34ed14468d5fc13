import { diagnose, type SourceText } from '@octavo/model'
import { type CompiledPage, ISLAND_LOADER_TAG } from './compile-page.ts'

/**
 * Returns the page with static components only, and a diagnostic if it had islands. Code for the
 * browser is compiled from files of the site, so Markdown inside a specification cannot have
 * islands.
 */
export function withoutIslands(page: CompiledPage, source: SourceText): CompiledPage {
  const { islands, islandCode: _, ...rest } = page
  if (islands === undefined) return page
  const offset = Math.max(0, source.text.search(/^export\b/m))
  const place = { file: source.file, ...source.position(offset) }
  const problem = diagnose('content/needs-browser', place, {
    message: 'A component here needs a browser, so only its static content is shown.',
    hint: 'Create a page with `openapi` in its frontmatter, and import the component there.',
  })
  const html = page.html.replace(ISLAND_LOADER_TAG, '')
  return { ...rest, html, diagnostics: [...page.diagnostics, problem] }
}
