/**
 * Writes sample data with dates in the past. The service itself only records current events, so
 * this code connects to a demo's database as the owner of the tables.
 */
import type { Database, ProjectDatabase } from '../../../platform/database/database.ts'
import type { SampleConversation } from './sample/sample-conversations.ts'
import type { SampleCount } from './sample/sample-events.ts'
import type { SampleFeedback } from './sample/sample-feedback.ts'

const DAY_MS = 86_400_000

/**
 * Creates partitions for the sample data, which starts in an earlier month. The service only
 * creates current and future ones.
 */
export async function createPastPartitions(owner: Database): Promise<void> {
  const month = `date_trunc('month', now() at time zone 'UTC')`
  for (const name of ['conversation_detail', 'conversation_feedback'])
    await owner.query(
      `select attach_partition($1, $2, '', ulid_floor(${month} at time zone 'UTC'))`,
      [name, `${name}_past`],
    )
  await owner.query(
    `select attach_partition('event_day', 'event_day_past', '2000-01-01',
       (${month} - interval '1 month')::date::text)`,
  )
}

export class SampleStore {
  readonly #owner: ProjectDatabase

  constructor(owner: ProjectDatabase) {
    this.#owner = owner
  }

  /**
   * Stores why questions were not answered and how readers rated answers; `ids` are conversation
   * ids.
   */
  async addDetails(
    conversations: readonly SampleConversation[],
    ids: readonly string[],
    deploymentIdOf: (atMs: number) => string,
  ): Promise<void> {
    const rows = conversations.map(({ turn, unanswered, rating }, index) => ({
      id: ids[index],
      at: new Date(turn.atMs).toISOString(),
      deployment: deploymentIdOf(turn.atMs),
      reason: unanswered === undefined ? null : 'low-support',
      nearest: unanswered?.nearest ?? null,
      rating: rating ?? null,
    }))
    const values = [JSON.stringify(rows)]
    await this.#owner.transaction(async (query) => {
      await query(
        `insert into conversation_detail (project_id, id, reason, deployment_id, nearest)
         select current_project(), r->>'id', r->>'reason', r->>'deployment',
                case when r->>'reason' is null then null else r->'nearest' end
           from json_array_elements($1) r`,
        values,
      )
      await query(
        `insert into conversation_feedback (project_id, id, at, is_helpful, reason, note)
         select current_project(), r->>'id', (r->>'at')::timestamptz + interval '1 minute',
                (r->'rating'->>'isHelpful')::boolean, r->'rating'->>'reason', r->'rating'->>'note'
           from json_array_elements($1) r where r->'rating'->>'isHelpful' is not null`,
        values,
      )
      await query(
        `insert into assistant_usage (project_id, day, questions)
         select current_project(), (r->>'at')::timestamptz::date, count(*) from json_array_elements($1) r group by 2`,
        values,
      )
      await query('select note_gap_work()')
    })
  }

  async addCounts(counts: readonly SampleCount[]): Promise<void> {
    await this.#owner.query(
      `insert into event_day (project_id, day, event, subject, detail, count, last_at)
       select current_project(), c.day, c.event, c.subject, c.detail, c.count,
              least(c.day + time '15:00', now() - abs(hashtext(c.subject)) % 240 * interval '1 minute')
         from json_to_recordset($1) as c (day date, event text, subject text, detail text, count bigint)`,
      [JSON.stringify(counts)],
    )
    await this.#owner.query(
      `insert into traffic (project_id, day, requests, bytes)
       select project_id, day, 4 * sum(count), 90000 * sum(count) from event_day
        where project_id = current_project() and event = 'view' group by 1, 2`,
    )
  }

  async addFeedback(feedback: readonly SampleFeedback[], nowMs: number): Promise<void> {
    const rows = feedback.map(({ daysAgo, ...rest }) => ({
      ...rest,
      atMs: Math.round(nowMs - daysAgo * DAY_MS),
    }))
    await this.#owner.query(
      `insert into feedback (project_id, id, key, source, path, helpful, comment, contact, code, lang, status, created_at)
       select current_project(), make_ulid(f."atMs", 0), gen_random_uuid(), f.source, f.path, f.helpful, f.comment,
              f.contact, f.code, f.lang, f.status, to_timestamp(f."atMs" / 1000.0)
         from json_to_recordset($1) as f ("atMs" bigint, source text, path text, helpful boolean, comment text,
              contact text, code text, lang text, status text)`,
      [JSON.stringify(rows)],
    )
  }

  /** Backdates a deployment and its audit event. */
  async backdate(deploymentId: string, { daysAgo, actor, action }: PastDeployment): Promise<void> {
    await this.#owner.transaction(async (query) => {
      const values = [deploymentId, daysAgo]
      await query(
        `update deployment set created_at = now() - $2::float8 * interval '1 day',
                finished_at = now() - $2::float8 * interval '1 day' + interval '9 seconds',
                published_at = case when published_at is null then null
                                    else now() - $2::float8 * interval '1 day' + interval '9 seconds' end
          where project_id = current_project() and id = $1`,
        values,
      )
      await query(
        `insert into audit_event (organization_id, project_id, at, actor, action, object, address_prefix)
         select current_organization(), current_project(), now() - $2::float8 * interval '1 day', $3,
                $4, 'deployment ' || $1::text, '127.0.0.0/24'`,
        [...values, actor, action],
      )
    })
  }

  /** Makes the project older than all its sample data. */
  async backdateProject(daysAgo: number): Promise<void> {
    await this.#owner.transaction(async (query) => {
      await query(
        `update audit_event set at = now() - $1::float8 * interval '1 day'
          where project_id = current_project() and action = 'project.create'`,
        [daysAgo],
      )
      await query(
        `update project set created_at = now() - $1::float8 * interval '1 day' where id = current_project()`,
        [daysAgo],
      )
    })
  }

  /** Returns true once the gaps are computed. */
  async hasGaps(): Promise<boolean> {
    const [row] = await this.#owner.query<{ done: boolean }>(
      `select not exists (select from gap_work where project_id = current_project()) as done`,
    )
    return row?.done === true
  }
}

type PastDeployment = {
  readonly daysAgo: number
  readonly actor: string
  readonly action: 'deployment.publish' | 'deployment.finish'
}
