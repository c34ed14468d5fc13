import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { changeGaps, undoChange } from './changes.ts'
import { showGaps } from './list.ts'
import { showGap } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/gaps', (screen) => showGaps(screen)),
  change('/gaps/changes', changeGaps),
  change('/gaps/changes/:id/undo', undoChange),
  show('/gaps/:id', (screen, id) => showGap(screen, id)),
]
