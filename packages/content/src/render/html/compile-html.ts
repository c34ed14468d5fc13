import type { PageState, Spot } from '../../page-state.ts'
import type { PageNode } from '../../tree/page-tree.ts'
import { HtmlBuilder } from './html-builder.ts'

/** A whole piece of HTML as page nodes, through the allow-list. */
export function compileHtml(page: PageState, html: string, spot: Spot): readonly PageNode[] {
  const builder = new HtmlBuilder(page)
  builder.addHtml(html, spot)
  return builder.finish()
}
