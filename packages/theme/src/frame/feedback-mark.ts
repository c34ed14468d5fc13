import type { Config } from '@octavo/model'
import type { PageView } from './frame-input.ts'

/**
 * What readers may say of a page, for the script of the host: it alone can send it, so pages elsewhere show
 * nothing. The page for addresses that do not exist, which has no Markdown, is not asked about.
 */
export function feedbackMark(
  { markdownUrl }: Pick<PageView, 'markdownUrl'>,
  { feedback }: Pick<Config, 'feedback'>,
): string {
  const { thumbsRating, thumbs, codeSnippet } = feedback ?? {}
  const isPage = thumbsRating === true || thumbs === true
  const parts = [...(isPage ? ['page'] : []), ...(codeSnippet === true ? ['code'] : [])]
  if (parts.length === 0 || markdownUrl === undefined) return ''
  return ` data-feedback="${parts.join(' ')}"`
}
