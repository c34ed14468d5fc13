import { change, type ScreenRoute, show } from '../../visit/route.ts'
import {
  changeConnection,
  connectRepository,
  disconnect,
  showChange,
  showDisconnect,
  showGitHub,
} from './changes.ts'
import { showConnection, testConnection } from './show.ts'

/** The service also opens this screen when a person returns from GitHub. */
export const gitHubScreen = show('/connection/github', showGitHub)

export const routes: readonly ScreenRoute[] = [
  show('/connection', (screen) => showConnection(screen)),
  change('/connection', connectRepository),
  change('/connection/test', testConnection),
  show('/connection/change', (screen) => showChange(screen)),
  change('/connection/change', changeConnection),
  show('/connection/remove', (screen) => showDisconnect(screen)),
  change('/connection/remove', disconnect),
  gitHubScreen,
]
