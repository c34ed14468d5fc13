import type { ProviderKind } from '@octavo/contract'

/** Instructions for adding a webhook at each Git host, including the events to select. */
export const WEBHOOK_STEPS: Readonly<Record<ProviderKind, readonly string[]>> = {
  github: [
    'GitHub: Settings → Webhooks → Add webhook. Content type: application/json.',
    'Events: "Pushes" and "Pull requests".',
  ],
  gitlab: [
    'GitLab: Settings → Webhooks → Add new webhook. Paste the secret as signing token, or as secret token in older versions.',
    'Events: "Push events" and "Merge request events".',
  ],
  gitea: [
    'Gitea, Forgejo: Settings → Webhooks → Add webhook. Content type: application/json, method: POST.',
    'Events: "Push", "Create", "Delete", "Pull request" and "Pull request synchronized".',
  ],
  git: [
    'Send a POST with JSON, signed with Standard Webhooks (or as Bitbucket does), after each push.',
  ],
}
