import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { addToGap, deleteConversation, showDeleteConversation } from './changes.ts'
import { exportConversations, showConversations } from './list.ts'
import { showConversation } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/conversations', showConversations),
  show('/conversations.ndjson', (screen) => exportConversations(screen, 'ndjson')),
  show('/conversations.csv', (screen) => exportConversations(screen, 'csv')),
  show('/conversations/:id', (screen, id) => showConversation(screen, id)),
  show('/conversations/:id/delete', (screen, id) => showDeleteConversation(screen, id)),
  change('/conversations/:id/delete', (screen, _, id) => deleteConversation(screen, id)),
  change('/conversations/:id/gap', addToGap),
]
