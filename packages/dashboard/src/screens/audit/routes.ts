import { type ScreenRoute, show, showForPerson } from '../../visit/route.ts'
import { exportAudit, exportOrganizationAudit, showAudit, showOrganizationAudit } from './list.ts'

export const routes: readonly ScreenRoute[] = [
  show('/audit', showAudit),
  show('/audit.ndjson', (screen) => exportAudit(screen, 'ndjson')),
  show('/audit.csv', (screen) => exportAudit(screen, 'csv')),
  showForPerson('/organizations/:id/audit', (screen, id) => showOrganizationAudit(screen, id)),
  showForPerson('/organizations/:id/audit.ndjson', (screen, id) =>
    exportOrganizationAudit(screen, id, 'ndjson'),
  ),
  showForPerson('/organizations/:id/audit.csv', (screen, id) =>
    exportOrganizationAudit(screen, id, 'csv'),
  ),
]
