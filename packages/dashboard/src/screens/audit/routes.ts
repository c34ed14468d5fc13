import { type ScreenRoute, show } from '../../visit/route.ts'
import { exportAudit, showAudit } from './list.ts'

export const routes: readonly ScreenRoute[] = [
  show('/audit', showAudit),
  show('/audit.ndjson', exportAudit),
]
