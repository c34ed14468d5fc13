import type { Config } from '@octavo/model'
import type { PageView } from './frame-input.ts'

/**
 * Marks which feedback the host's script asks for: only a host can receive it, so other sites show
 * no form. The 404 page, which has no Markdown, has no mark.
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
