import { z } from 'zod'
import { plainText } from '../../platform/mail/plain-text.ts'
import { readDiagnostics } from './build-diagnostic.ts'
import { defineNotice } from './notice-type.ts'
import { printStatus } from './print-status.ts'

const COMMIT_LENGTH = 7
const REASON_LENGTH_MAX = 300

const Facts = z.object({
  buildId: z.string(),
  branch: z.string(),
  commit: z.string(),
  reason: z.string(),
})

/**
 * Sent for failed production builds. `send-build-notices.ts` calls the webhook about all failed
 * builds, including previews.
 */
export const buildFailed = defineNotice(Facts, {
  kind: 'build.failed',
  hasOwnWebhook: true,

  async find(store) {
    const builds = await store.failedBuilds()
    return builds.map(({ id, branch, commit, firstError, ...build }) => ({
      subject: id,
      facts: {
        buildId: id,
        branch,
        commit,
        reason: printStatus({
          ...build,
          state: 'failed',
          target: 'production',
          firstError: readDiagnostics([firstError])[0],
          isLive: false,
          lockReason: null,
          url: undefined,
        }).description,
      },
    }))
  },

  describe({ buildId, branch, commit, reason }) {
    const of = `${plainText(branch)} (${commit.slice(0, COMMIT_LENGTH)})`
    return {
      title: `The build of ${of} failed`,
      text: `The production build of ${of} failed:\n${plainText(reason, REASON_LENGTH_MAX)}`,
      advice:
        'Readers still see the previous version. Open the build to see its log and all problems, then push a fix or build again.',
      path: `builds/${buildId}`,
    }
  },
})
