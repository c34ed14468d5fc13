import { change, type ScreenRoute, show } from '../../visit/route.ts'
import { removeWebhook, saveWebhook, testWebhook } from './change-webhook.ts'
import { saveSettings, showSettings } from './show.ts'

export const routes: readonly ScreenRoute[] = [
  show('/settings', (screen) => showSettings(screen)),
  change('/settings', saveSettings),
  change('/settings/webhook', saveWebhook),
  change('/settings/webhook/test', testWebhook),
  change('/settings/webhook/remove', removeWebhook),
]
