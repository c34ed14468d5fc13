import {
  DocsSettingsReply,
  ProjectSettingsReply,
  WebhookReply,
  WebhookTestReply,
} from '@octavo/contract'
import { ago, LONG_BRANCH, PROJECT_ID, ULIDS } from './sample-facts.ts'
import type { Samples } from './sample-replies.ts'

export function sampleSettings({ hostile: h, isEmpty }: Omit<Samples, 'role'>) {
  const url = `https://hooks.greenhouse.example/octavo${h}`
  const setting = (line: number, key: string, value: string) => ({
    key,
    value: `${value}${h}`,
    file: `docs.json${h}`,
    line,
  })
  return {
    settings: ProjectSettingsReply.parse({
      id: PROJECT_ID,
      name: `Sensor docs${h}`,
      slug: 'sensor-docs',
      archived: false,
      retentionDays: 180,
      playgroundProxy: true,
      failOn: null,
      ...(!isEmpty && {
        webhook: url,
        webhookFormat: 'standard',
        webhookAttempt: {
          type: 'deployment.live',
          at: ago(2),
          reason: `the server responded with status 500${h}`,
        },
      }),
      trust: isEmpty ? [] : [`github:greenhouse/sensor-docs@main${h}`],
    }),
    docsSettings: DocsSettingsReply.parse(
      isEmpty
        ? { deployment: null, settings: [] }
        : {
            deployment: ULIDS.live,
            commit: `a41f9c2b5d2c3f8a6e1d9b7c5a3f2e1d0c9b8a1${h}`,
            branch: `${LONG_BRANCH}${h}`,
            settings: [
              setting(3, 'name', 'Greenhouse Sensors'),
              { ...setting(6, 'colors.primary', ''), value: h || '#2f7d4f' },
              setting(18, 'navigation', '4 tabs, 214 pages'),
              setting(11, 'navigation.languages', 'en, de'),
              setting(204, 'redirects', '38'),
              setting(231, 'deploy.failOn', 'error'),
            ],
          },
    ),
    createdWebhook: WebhookReply.parse({
      url,
      format: 'standard',
      secret: 'whsec_rKxJ0Gk3mC2m4Xq0T2vY8bF5nH7pL1sD9eW6aZ3uQ4c=',
    }),
    webhookTest: WebhookTestReply.parse({ delivered: true, status: 200 }),
  }
}
