import { changeForPerson, type ScreenRoute, showForPerson } from '../../visit/route.ts'
import {
  deleteOrganization,
  renameOrganization,
  showDeleteOrganization,
  showOrganization,
} from './show.ts'

export const routes: readonly ScreenRoute[] = [
  showForPerson('/organizations/:id', (screen, id) => showOrganization(screen, id)),
  changeForPerson('/organizations/:id', (screen, form, id) => renameOrganization(screen, id, form)),
  showForPerson('/organizations/:id/delete', (screen, id) => showDeleteOrganization(screen, id)),
  changeForPerson('/organizations/:id/delete', (screen, form, id) =>
    deleteOrganization(screen, id, form),
  ),
]
