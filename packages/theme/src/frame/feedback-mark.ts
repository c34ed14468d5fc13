import type { Config } from '@octavo/model'
import type { PageView } from './frame-input.ts'

/**
 * Returns the attribute that enables feedback forms. The script of the hosting service shows the
 * forms, because only a host can receive feedback. The 404 page has no Markdown and therefore no
 * feedback.
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
