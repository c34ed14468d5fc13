import type { Diagnostic } from '@octavo/model'
import type { HeaderRule } from '../output/headers.ts'

export type DevPage = {
  readonly status: 200 | 404 | 503
  readonly html: string
  readonly headers: readonly HeaderRule[]
  /**
   * Returns the problems of a page. It is called after the page has been sent, because checking
   * links to anchors on other pages takes longer than compiling the page.
   */
  readonly problems: () => Promise<PageProblems>
  /** True if the page has components that run in the browser. */
  readonly hasIslands: boolean
}

export type PageProblems = {
  /** Diagnostics of the page's files, or of the site if there is no page. */
  readonly own: readonly Diagnostic[]
  /** Errors in other files that the latest change caused, such as links to a removed page. */
  readonly caused: readonly Diagnostic[]
  /** All other errors of the site. */
  readonly others: readonly Diagnostic[]
}

export function unreadableSite(diagnostics: readonly Diagnostic[]): DevPage {
  return {
    status: 503,
    headers: [],
    hasIslands: false,
    html: '<!doctype html>\n<html lang="en" style="color-scheme:light dark"><head><meta charset="utf-8"><title>Site not loaded</title></head><body></body></html>\n',
    problems: async () => ({ own: diagnostics, caused: [], others: [] }),
  }
}
