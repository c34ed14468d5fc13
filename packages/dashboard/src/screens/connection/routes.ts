import { change, type ScreenRoute, show } from '../../visit/route.ts'
import {
  changeConnection,
  connectRepository,
  disconnect,
  showDisconnect,
  showGitHub,
} from './changes.ts'
import { buildNow, checkConnection, showConnection } from './show.ts'

/** The service also opens this screen when a person returns from GitHub. */
export const gitHubScreen = show('/connection/github', showGitHub)

export const routes: readonly ScreenRoute[] = [
  show('/connection', (screen) => showConnection(screen)),
  change('/connection', connectRepository),
  change('/connection/check', checkConnection),
  change('/connection/build', buildNow),
  change('/connection/change', changeConnection),
  show('/connection/remove', (screen) => showDisconnect(screen)),
  change('/connection/remove', disconnect),
  gitHubScreen,
]
