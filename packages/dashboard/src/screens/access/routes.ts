import { change, type ScreenRoute, show } from '../../visit/route.ts'
import {
  createReaderToken,
  deleteReaderToken,
  endSessions,
  saveAccess,
  showAccess,
  showEndSessions,
} from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/access', (screen) => showAccess(screen)),
  change('/access', saveAccess),
  show('/access/end-sessions', (screen) => showEndSessions(screen)),
  change('/access/end-sessions', endSessions),
  change('/access/tokens', createReaderToken),
  change('/access/tokens/:id/delete', (screen, _, id) => deleteReaderToken(screen, id)),
]
