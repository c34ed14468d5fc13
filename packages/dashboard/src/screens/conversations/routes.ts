import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { exportConversations, showConversations } from './list.ts'
import { deleteConversation, showConversation, showDeleteConversation } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/conversations', showConversations),
  show('/conversations.ndjson', (screen) => exportConversations(screen, 'ndjson')),
  show('/conversations.csv', (screen) => exportConversations(screen, 'csv')),
  show('/conversations/:id', showConversation),
  show('/conversations/:id/delete', (screen, id) => showDeleteConversation(screen, id)),
  change('/conversations/:id/delete', (screen, _, id) => deleteConversation(screen, id)),
]
