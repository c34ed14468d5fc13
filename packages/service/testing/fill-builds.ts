/**
 * Adds a connection, a pull request and builds to a project. All of them contain text that
 * identifies the project.
 */
import type { Database } from '../src/platform/database/database.ts'
import type { TestProject } from './test-service.ts'

export type FilledBuilds = {
  /** A failed build of which neither the Git host nor the owner has been notified. */
  readonly failed: string
  /** A build of the pull request from the branch `both`. Its last reported state is outdated. */
  readonly preview: string
}

/**
 * Adds the rows. Commits are the same in every project, and `number` is the base of the build
 * numbers.
 */
export async function fillBuilds(
  owner: Database,
  { id: projectId }: Pick<TestProject, 'id'>,
  facts: { readonly text: string; readonly number: number; readonly deploymentId: string | null },
): Promise<FilledBuilds> {
  const { text, number, deploymentId } = facts
  const idOf = (index: number) => `01BV${projectId.padStart(18, '0')}000${index}`
  await owner.query(
    `insert into connection (project_id, provider, url, webhook_id)
     values ($1, 'github', 'https://github.com/acme/' || $2, 'hook-of-project-number-' || $1::bigint)
     on conflict do nothing`,
    [projectId, text],
  )
  await owner.query(
    `insert into git_ref (project_id, name, commit_sha, pull_request, pull_url, is_fork)
     values ($1, 'both', $2, 1, $3, true)
     on conflict (project_id, name) do update
       set commit_sha = excluded.commit_sha, pull_request = 1, pull_url = excluded.pull_url, is_fork = true`,
    [projectId, 'a'.repeat(40), text],
  )
  const diagnostics = JSON.stringify([{ severity: 'error', message: text }])
  const insert = (index: number, target: string, state: string, deployment: string | null) =>
    owner.query(
      `insert into build (project_id, id, number, target, ref, commit_sha, trigger, state, reason, diagnostics, deployment_id)
       values ($1, $2, $3, $4, 'both', $5, 'webhook', $6, $7, $8, $9)`,
      [
        projectId,
        idOf(index),
        number + index,
        target,
        'a'.repeat(40),
        state,
        text,
        diagnostics,
        deployment,
      ],
    )
  await insert(1, 'production', 'finished', deploymentId)
  await insert(2, 'preview', 'finished', null)
  await insert(3, 'production', 'failed', null)
  await owner.query(
    `update build set reported_state = 'queued' where project_id = $1 and id = $2`,
    [projectId, idOf(2)],
  )
  await owner.query(
    'insert into build_log (project_id, build_id, line, text) values ($1, $2, 1, $3)',
    [projectId, idOf(3), text],
  )
  await owner.query(
    `insert into webhook_delivery (project_id, status, headers, body) values ($1, 202, '{}', $2)`,
    [projectId, text],
  )
  return { failed: idOf(3), preview: idOf(2) }
}
