import { changeForPerson, type ScreenRoute, showForPerson } from '../../visit/route.ts'
import { deletePasskey, revokeSession, showAccount } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  showForPerson('/account', (screen) => showAccount(screen)),
  changeForPerson('/account/sessions/:id/revoke', (screen, _, id) => revokeSession(screen, id)),
  changeForPerson('/account/passkeys/:id/delete', (screen, _, id) => deletePasskey(screen, id)),
]
