import { redirect } from '../../parts/document.ts'
import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { saveNotifications, showNotifications } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/notifications', (screen) => showNotifications(screen)),
  change('/notifications', saveNotifications),
  // The former address, which older e-mails link to.
  show('/notices', (screen) => redirect(screen.path('notifications'))),
]
