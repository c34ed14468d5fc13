import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { changeFeedback, deleteFeedback, showDeleteFeedback } from './changes.ts'
import { showFeedback } from './list.ts'
import { exportVotes } from './votes.ts'

export const routes: readonly ScreenRoute[] = [
  show('/feedback', (screen) => showFeedback(screen)),
  show('/feedback/votes.csv', exportVotes),
  change('/feedback/:id', (screen, form, id) => changeFeedback(screen, id, form)),
  show('/feedback/:id/delete', (screen, id) => showDeleteFeedback(screen, id)),
  change('/feedback/:id/delete', (screen, _, id) => deleteFeedback(screen, id)),
]
