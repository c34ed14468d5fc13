/** Adds projects in all states to an organization, for tests of the project list. */
import type { TestProject, TestService } from './test-service.ts'

/**
 * Adds `count` projects. Of every 20 projects, one has a failed build, one is building, one is
 * locked, two were never deployed, one is archived, and the others are live with the files of an
 * existing deployment. Two thirds have open gaps.
 */
export async function addProjects(
  { owner }: Pick<TestService, 'owner'>,
  { tenant }: Pick<TestProject, 'tenant'>,
  count: number,
): Promise<void> {
  await owner.transaction(async (query) => {
    await query(
      `create temporary table made on commit drop as
         select n, random_id() as id from generate_series(1, $1::integer) as n`,
      [count],
    )
    await query(
      `insert into project (organization_id, id, public_id, slug, name, protection, archived_at)
       select $1, id, 'prj_' || lpad(n::text, 16, '0'), 'many-' || n, 'Project ' || lpad(n::text, 3, '0'),
              case n % 10 when 0 then 'members' when 5 then 'password' else 'public' end,
              case when n % 20 = 6 then now() end from made`,
      [tenant.organizationId],
    )
    await query(
      `insert into deployment (project_id, id, number, root, created_by, state, message, published_at, created_at, finished_at)
       select id, make_ulid(1700000000000 + n, 1), 1, coalesce((select d.root from deployment d limit 1), $1), 'build 1', 'ready', 'Deploy ' || n,
              now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '1 hour'
         from made where n % 20 not in (4, 5)`,
      [Buffer.alloc(32)],
    )
    await query(
      `insert into publication (project_id, deployment_id, last_number, lock_reason)
       select m.id, d.id, 2, case when m.n % 20 = 3 then 'Release on Monday' end
         from made m left join deployment d on d.project_id = m.id`,
    )
    await query(
      `insert into connection (project_id, provider, url, webhook_id)
       select id, 'git', 'https://git.example/' || n, 'hook-of-many-projects-' || n from made`,
    )
    await query(
      `insert into build (project_id, id, number, target, ref, commit_sha, trigger, state, message, author, error_count, finished_at)
       select m.id, make_ulid(1700000000000 + m.n, b.number), b.number, 'production', 'main', repeat('a', 40), 'webhook', b.state,
              'Commit ' || b.number, 'Mei Tanaka', 2, now()
         from made m cross join lateral (values
           (1, 'finished', m.n % 20 not in (4, 5)), (2, 'failed', m.n % 20 = 1), (2, 'building', m.n % 20 = 2)) b (number, state, applies)
        where b.applies`,
    )
    await query(
      `insert into gap (project_id, id)
       select m.id, make_ulid(1700000000000 + m.n, g) from made m cross join generate_series(1, m.n % 3) g where m.n % 3 > 0`,
    )
  })
}
