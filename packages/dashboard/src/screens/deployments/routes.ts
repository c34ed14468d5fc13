import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { showDeployments } from './list.ts'
import {
  changePreview,
  lock,
  publish,
  showLock,
  showPreviewChange,
  showPublish,
  showUnlock,
  unlock,
} from './publish.ts'
import { showDeployment } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/deployments', (screen) => showDeployments(screen, 'deployments')),
  show('/builds', (screen) => showDeployments(screen, 'builds')),
  show('/previews', (screen) => showDeployments(screen, 'previews')),
  show('/deployments/:id', showDeployment),
  show('/deployments/:id/publish', (screen, id) => showPublish(screen, id)),
  change('/deployments/:id/publish', (screen, form, id) => publish(screen, id, form)),
  show('/lock', (screen) => showLock(screen)),
  change('/lock', lock),
  show('/unlock', (screen) => showUnlock(screen)),
  change('/unlock', unlock),
  ...(['approve', 'delete'] as const).flatMap((kind) => [
    show(`/previews/:id/${kind}`, (screen, id) => showPreviewChange(screen, id, { kind })),
    change(`/previews/:id/${kind}`, (screen, form, id) =>
      changePreview(screen, id, { kind, form }),
    ),
  ]),
]
