import {
  change,
  changeForPerson,
  type ScreenRoute,
  show,
  showForPerson,
} from '../../visit/route.ts'
import { listNewest } from './empty.ts'
import {
  changeArchive,
  deleteProject,
  showArchive,
  showDelete,
  showRestore,
  showTransfer,
  transferProject,
} from './life.ts'
import { createProject, showProjects } from './list.ts'
import { showOverview } from './overview.ts'
import { showUsage } from './usage.ts'

export const routes: readonly ScreenRoute[] = [
  showForPerson('/', (screen) => showProjects(screen)),
  changeForPerson('/', (screen, form) => createProject(screen, form)),
  show('', showOverview),
  show('/newest.json', listNewest),
  show('/usage', showUsage),
  show('/archive', (screen) => showArchive(screen)),
  change('/archive', (screen) => changeArchive(screen, 'archive')),
  show('/restore', (screen) => showRestore(screen)),
  change('/restore', (screen) => changeArchive(screen, 'restore')),
  show('/transfer', (screen) => showTransfer(screen)),
  change('/transfer', transferProject),
  show('/delete', (screen) => showDelete(screen)),
  change('/delete', deleteProject),
]
