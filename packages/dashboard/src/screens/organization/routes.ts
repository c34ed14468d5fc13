import { changeOwn, type ScreenRoute, showOwn } from '../../visit/route.ts'
import {
  deleteOrganization,
  renameOrganization,
  showDeleteOrganization,
  showOrganization,
} from './show.ts'

export const routes: readonly ScreenRoute[] = [
  showOwn('/organizations/:id', (screen, id) => showOrganization(screen, id)),
  changeOwn('/organizations/:id', (screen, form, id) => renameOrganization(screen, id, form)),
  showOwn('/organizations/:id/delete', (screen, id) => showDeleteOrganization(screen, id)),
  changeOwn('/organizations/:id/delete', (screen, form, id) =>
    deleteOrganization(screen, id, form),
  ),
]
