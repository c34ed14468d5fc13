/** Reports failed and superseded builds to a project's webhook, each once and in order. */
import type { Database } from '../../../platform/database/database.ts'
import type { JobHandler } from '../../../platform/jobs/job-queue.ts'
import { readDiagnostics } from '../build-diagnostic.ts'
import { printStatus } from '../print-status.ts'
import { type DeliveryDeps, deliverWebhook, type WebhookMessage } from './deliver-webhook.ts'
import { type EndedBuild, WebhookStore } from './store.ts'

export const BUILD_NOTICE = 'build-notice'

export type BuildNoticeDeps = DeliveryDeps & { readonly database: Database }

export function createBuildNoticeSender(deps: BuildNoticeDeps): JobHandler {
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const bound = deps.database.forProject({ organizationId, projectId })
    const store = new WebhookStore(bound)
    const target = await store.target()
    for (const build of await store.unannounced()) {
      if (target !== undefined)
        await deliverWebhook(deps, bound, {
          id: `msg_${build.id}_${build.state}`,
          target,
          message: messageOf(build, target.publicId),
          facts: { build: build.id },
          signal,
        })
      // Builds are marked even without a webhook, so that a webhook that is set later gets no old
      // builds.
      await store.markAnnounced(build.id)
    }
  }
}

function messageOf(build: EndedBuild, projectId: string): WebhookMessage {
  const { id, state, target, ref, commit, pullRequest, reason, errorCount, warningCount } = build
  const [firstError] = readDiagnostics([build.firstError])
  const { description } = printStatus({
    state,
    target,
    reason,
    errorCount,
    warningCount,
    firstError,
    isLive: false,
    lockReason: null,
    url: undefined,
  })
  return {
    type: state === 'failed' ? 'build.failed' : 'build.superseded',
    timestamp: build.endedAt.toISOString(),
    data: {
      projectId,
      buildId: id,
      target,
      branch: ref,
      commit,
      ...(pullRequest !== null && { pullRequest }),
      ...(state === 'failed' && {
        reason: description,
        errors: errorCount,
        warnings: warningCount,
      }),
    },
  }
}
