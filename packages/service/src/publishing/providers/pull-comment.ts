/** The one comment on a pull request, whatever the host. */
import type { ApiFailure, ApiReply } from './call-api.ts'
import type { CommentWish, ProviderFailure } from './provider.ts'

type CommentId = number

export type CommentCalls = {
  readonly edit: (
    id: string,
    markdown: string,
  ) => Promise<ApiReply<{ readonly id: CommentId }> | ApiFailure>
  readonly create: (markdown: string) => Promise<ApiReply<{ readonly id: CommentId }> | ApiFailure>
  /** Comments on the pull request, and which of them we wrote. */
  readonly list: () => Promise<readonly ListedComment[] | ApiFailure>
}

type ListedComment = { readonly id: CommentId; readonly body: string; readonly isOwn: boolean }

/**
 * Edits the comment whose id is known. Without an id it looks for one of ours first: a worker may
 * have died between the call and the note of the id. A comment that somebody deleted is created again.
 */
export async function editOrCreateComment(
  { commentId, marker, markdown }: CommentWish,
  calls: CommentCalls,
): Promise<{ readonly kind: 'comment'; readonly id: string } | ProviderFailure> {
  let id = commentId
  if (id === undefined) {
    const comments = await calls.list()
    if ('kind' in comments) return comments
    // A stranger can write the marker too, so only comments of our own account count.
    id = comments.find(({ body, isOwn }) => isOwn && body.includes(marker))?.id.toString()
  }
  const edited = id === undefined ? undefined : await calls.edit(id, markdown)
  const isGone = edited?.kind === 'failed' && (edited.status === 404 || edited.status === 410)
  const reply = edited === undefined || isGone ? await calls.create(markdown) : edited
  return reply.kind === 'failed' ? reply : { kind: 'comment', id: String(reply.data.id) }
}
