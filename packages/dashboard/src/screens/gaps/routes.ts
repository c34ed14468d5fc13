import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { changeGap, showGaps } from './list.ts'

export const routes: readonly ScreenRoute[] = [
  show('/gaps', (screen) => showGaps(screen)),
  change('/gaps/:id', (screen, form, id) => changeGap(screen, id, form)),
]
