import { change, type ScreenRoute, show } from '../../visit/route.ts'
import {
  changeRole,
  removeInvitation,
  removeMember,
  showRemoveInvitation,
  showRemoveMember,
  showRole,
} from './changes.ts'
import { invite, showMembers } from './list.ts'

export const routes: readonly ScreenRoute[] = [
  show('/members', (screen) => showMembers(screen)),
  change('/members', invite),
  show('/members/:id/role', (screen, id) => showRole(screen, id)),
  change('/members/:id/role', (screen, form, id) => changeRole(screen, id, form)),
  show('/members/:id/remove', (screen, id) => showRemoveMember(screen, id)),
  change('/members/:id/remove', (screen, _, id) => removeMember(screen, id)),
  show('/invitations/:id/remove', (screen, id) => showRemoveInvitation(screen, id)),
  change('/invitations/:id/remove', (screen, _, id) => removeInvitation(screen, id)),
]
