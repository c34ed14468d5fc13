import { type ScreenRoute, show } from '../../visit/route.ts'
import { showAnalytics, showAnalyticsList } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/analytics', showAnalytics),
  show('/analytics/:id', showAnalyticsList),
]
