import type { PageState, Spot } from '../../page-state.ts'
import type { PageNode } from '../../tree/page-tree.ts'
import { HtmlBuilder } from './html-builder.ts'

/** Compiles a complete piece of HTML to page nodes that pass the allow-list. */
export function compileHtml(page: PageState, html: string, spot: Spot): readonly PageNode[] {
  const builder = new HtmlBuilder(page)
  builder.addHtml(html, spot)
  return builder.finish()
}
