import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { endSessions, showEndSessions } from './sessions.ts'
import { saveAccess, showAccess } from './show.ts'
import { createReaderToken, revokeToken, showRevokeToken } from './tokens.ts'

export const routes: readonly ScreenRoute[] = [
  show('/access', (screen) => showAccess(screen)),
  change('/access', saveAccess),
  show('/access/end-sessions', (screen) => showEndSessions(screen)),
  change('/access/end-sessions', endSessions),
  change('/access/tokens', async (screen, form) =>
    showAccess(screen, await createReaderToken(screen, form)),
  ),
  show('/access/tokens/:id/revoke', (screen, id) => showRevokeToken(screen, id)),
  change('/access/tokens/:id/revoke', (screen, _, id) => revokeToken(screen, id)),
]
