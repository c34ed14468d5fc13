import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { changeBuild, showBuild, streamLog } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/builds/:id', (screen, id) => showBuild(screen, id)),
  show('/builds/:id/log', streamLog),
  change('/builds/:id/cancel', (screen, _, id) => changeBuild(screen, id, 'cancel')),
  change('/builds/:id/retry', (screen, _, id) => changeBuild(screen, id, 'retry')),
]
