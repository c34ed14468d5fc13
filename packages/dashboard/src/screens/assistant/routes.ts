import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { saveAssistant, showAssistant, testAssistant, turnOff } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/assistant', (screen) => showAssistant(screen)),
  change('/assistant', saveAssistant),
  change('/assistant/off', turnOff),
  change('/assistant/test', testAssistant),
]
