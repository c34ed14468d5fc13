import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { createKey, showKeys } from './list.ts'
import { revokeKey, rotateKey, showRevoke, showRotate } from './rotate-revoke.ts'

export const routes: readonly ScreenRoute[] = [
  show('/keys', (screen) => showKeys(screen)),
  change('/keys', createKey),
  show('/keys/:id/rotate', (screen, id) => showRotate(screen, id)),
  change('/keys/:id/rotate', (screen, form, id) => rotateKey(screen, id, form)),
  show('/keys/:id/revoke', (screen, id) => showRevoke(screen, id)),
  change('/keys/:id/revoke', (screen, _, id) => revokeKey(screen, id)),
]
