/** Every address that a test opens, by a name for its picture. */
import { PROJECT_ID, ULIDS } from './sample-replies.ts'

const at = (rest: string) => `/projects/${PROJECT_ID}${rest}`

export const ALL_SCREENS: Readonly<Record<string, string>> = {
  projects: '/',
  account: '/account',
  overview: at(''),
  deployments: at('/deployments'),
  'builds-list': at('/builds'),
  previews: at('/previews'),
  'preview-approve': at('/previews/sensor-docs-pull-9-abc/approve'),
  'preview-delete': at('/previews/sensor-docs-pull-9-abc/delete'),
  deployment: at(`/deployments/${ULIDS.ready}`),
  publish: at(`/deployments/${ULIDS.ready}/publish`),
  'roll-back': at(`/deployments/${ULIDS.before}/publish`),
  lock: at('/lock'),
  unlock: at('/unlock'),
  building: at(`/builds/${ULIDS.build}`),
  'build-failed': at(`/builds/${ULIDS.failed}`),
  connection: at('/connection'),
  conversations: at('/conversations?text=keys&resolutionStatus=unanswered'),
  conversation: at(`/conversations/${ULIDS.conversation}`),
  'conversation-delete': at(`/conversations/${ULIDS.conversation}/delete`),
  gaps: at('/gaps'),
  assistant: at('/assistant'),
  keys: at('/keys'),
  'key-rotate': at('/keys/key_1/rotate'),
  'key-revoke': at('/keys/key_1/revoke'),
  members: at('/members'),
  'member-role': at('/members/usr_3/role'),
  'member-remove': at('/members/usr_3/remove'),
  'invitation-remove': at('/invitations/inv_1/remove'),
  audit: at('/audit'),
  settings: at('/settings'),
  notices: at('/notices'),
  usage: at('/usage'),
}
