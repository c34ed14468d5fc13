import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { saveNotices, showNotices } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/notices', (screen) => showNotices(screen)),
  change('/notices', saveNotices),
]
