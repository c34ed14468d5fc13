import { changeOwn, type ScreenRoute, showOwn } from '../../visit/route.ts'
import { deletePasskey, revokeSession, showAccount } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  showOwn('/account', (screen) => showAccount(screen)),
  changeOwn('/account/sessions/:id/revoke', (screen, _, id) => revokeSession(screen, id)),
  changeOwn('/account/passkeys/:id/delete', (screen, _, id) => deletePasskey(screen, id)),
]
