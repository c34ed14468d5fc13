/** Comments on pull requests about their newest build that has ended. */
import type { DeploymentDiff } from '@octavo/contract'
import { Problem } from '../../platform/problem.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { newDiagnostics, readDiagnostics } from '../../projects/notifications/build-diagnostic.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import type { DueComment, NotifiedProject, NotifyStore } from './notify-store.ts'
import { commentMarker, printComment } from './print-comment.ts'
import type { Provider } from './provider.ts'
import { isFinal, type Stopped } from './retry.ts'

export type CommentDeps = {
  readonly store: NotifyStore
  readonly project: NotifiedProject
  readonly provider: Provider
  readonly folder: string
  readonly deployments: DeploymentService | undefined
  readonly previewUrlOf: (name: string) => string | undefined
  readonly log: Log
  readonly signal: AbortSignal
}

export async function reportComments(deps: CommentDeps): Promise<Stopped | undefined> {
  const { store, project, provider, log, signal } = deps
  for (const due of await store.dueComments()) {
    if (signal.aborted) return undefined
    const commentId = idOn(due)
    // No comment is added to a pull request that does not change the documentation.
    const isSkipped = due.state === 'skipped' && commentId === undefined
    const outcome = isSkipped
      ? undefined
      : await provider.comment(
          {
            pullRequest: due.pullRequest,
            commentId,
            marker: commentMarker(project.publicId),
            markdown: await textOf(due, deps),
          },
          signal,
        )
    if (outcome?.kind === 'failed') {
      if (!isFinal(outcome, due.ageSeconds)) return { failure: outcome, ageSeconds: due.ageSeconds }
      log.error('the Git host refused a comment', {
        project: project.publicId,
        pullRequest: due.pullRequest,
        reason: outcome.message,
      })
    }
    const id = outcome?.kind === 'comment' ? outcome.id : commentId
    await store.markCommented(due, id === undefined ? null : `${due.pullRequest}/${id}`)
  }
  return undefined
}

/**
 * Returns the id of the comment; undefined if it is on an earlier pull request of the same branch.
 */
function idOn({ commentId, pullRequest }: DueComment): string | undefined {
  const [pull, id] = (commentId ?? '').split('/')
  return pull === String(pullRequest) ? id : undefined
}

async function textOf(due: DueComment, deps: CommentDeps): Promise<string> {
  const { store, project, deployments, folder, previewUrlOf } = deps
  const found = readDiagnostics(due.diagnostics)
  const diagnostics =
    due.state === 'failed'
      ? found.filter(({ severity }) => severity === 'error')
      : newDiagnostics(found, readDiagnostics(await store.liveDiagnostics()))
  return printComment({
    projectId: project.publicId,
    projectName: project.name,
    state: due.state,
    commit: due.commit,
    reason: due.reason,
    finishedAt: due.finishedAt,
    errorCount: due.errorCount,
    warningCount: due.warningCount,
    folder,
    diagnostics,
    previewUrl: due.previewName === null ? undefined : previewUrlOf(due.previewName),
    changes: await changesOf(due, deployments),
    gaps: due.gaps ?? undefined,
    answers: due.answers ?? undefined,
    readerAnswers: due.readerAnswers ?? undefined,
    api: due.api ?? undefined,
    deploymentId: due.deploymentId,
    fork: due.isFork ? { ref: due.ref, isApproved: due.isApproved } : undefined,
  })
}

/**
 * Compares the deployment with the live site. Returns undefined if there is no live site, or if one
 * of the two deployments no longer exists.
 */
async function changesOf(
  { state, deploymentId }: DueComment,
  deployments: DeploymentService | undefined,
): Promise<DeploymentDiff | undefined> {
  if (deployments === undefined || deploymentId === null || state !== 'finished') return undefined
  try {
    const changes = await deployments.diff(deploymentId, undefined)
    return changes.base === null ? undefined : changes
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
