import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { addDomain, checkDomain, redirectDomain, showDomains } from './list.ts'
import { removeDomain, showRemoveDomain } from './remove.ts'

export const routes: readonly ScreenRoute[] = [
  show('/domains', (screen) => showDomains(screen)),
  change('/domains', addDomain),
  change('/domains/:id/check', (screen, _, id) => checkDomain(screen, id)),
  change('/domains/:id/redirect', redirectDomain),
  show('/domains/:id/remove', (screen, id) => showRemoveDomain(screen, id)),
  change('/domains/:id/remove', (screen, _, id) => removeDomain(screen, id)),
]
