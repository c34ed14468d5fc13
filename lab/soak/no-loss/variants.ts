/**
 * The variants: the product, and planted bugs, each of which replaces functions of the database. A
 * checker that did not fail for planted bugs would prove nothing.
 */

export type Workload = {
  /** The number of exporters that follow the newest row. */
  readonly exporters: number
  /** The longest pause of an exporter that has read everything. */
  readonly pollPauseMsMax: number
  /** True if windows are read in the millisecond in which they close. */
  readonly windows: boolean
  /** The processes that are killed and paused: none, writers, or writers and the database. */
  readonly chaos: 'none' | 'writers' | 'all'
  /**
   * The niceness of writers. Above 0, readers have priority on a busy machine, since a reader that
   * lags behind would miss the bug.
   */
  readonly niceness: number
  /** The size of an answer in bytes. */
  readonly answerBytes: number
  /** True if the service reads exports from a streaming replica. */
  readonly hasReplica?: boolean
  /** How partitions change during the run. */
  readonly partitions?: 'maintained' | 'detached'
  /** The maximum duration of the run, for bugs that only the last comparison can show. */
  readonly secondsMax?: number
}

export type Variant = {
  readonly name: string
  readonly isPlanted: boolean
  /** SQL that replaces functions of the product. */
  readonly sql: string
  readonly workload: Workload
}

/**
 * A workload with tiny rows and no pauses: more publishes per millisecond make races more likely.
 */
const CROWD: Workload = {
  exporters: 2,
  pollPauseMsMax: 2,
  windows: false,
  chaos: 'none',
  niceness: 10,
  answerBytes: 10,
}
const CHAOS: Workload = { ...CROWD, chaos: 'writers', niceness: 0, answerBytes: 300 }

const PRODUCT: Variant = {
  name: 'product',
  isPlanted: false,
  sql: '',
  workload: { ...CHAOS, pollPauseMsMax: 20, windows: true, chaos: 'all' },
}

/** The product with a replica and partition maintenance, as in the variants that test them. */
const PRODUCT_WITH_REPLICA: Variant = {
  ...PRODUCT,
  name: 'product-with-replica',
  workload: { ...PRODUCT.workload, hasReplica: true, partitions: 'maintained' },
}

export const PRODUCTS = [PRODUCT, PRODUCT_WITH_REPLICA]

const CLOCK_MS = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'
const RANDOM_COUNTER = '(random() * 1048575)::integer'
/**
 * SQL of a clock with ticks of 16 ms, so that even a slow machine publishes several rows in one
 * tick.
 */
const TICK_MS = `(${CLOCK_MS} / 16 * 16)`
const LOCK = 'perform 1 from conversation_sequence where project_id = p_project for update;'

/** Returns the SQL of publish_question with a different method of creating an id. */
function publishSql(take: string): string {
  return `
create or replace function publish_question(
  p_question text, p_response text, p_sources json, p_status text, p_category text
) returns text language plpgsql as $$
declare
  p_project bigint := current_project();
  asked question;
  ms bigint;
  counter integer;
  existing text;
  new_id text;
begin
  select * into asked from question where project_id = p_project and id = p_question;
  ${take}
  insert into conversation (project_id, id, recorded_at, query, response, sources, resolution_status)
    values (p_project, new_id, to_timestamp(ms / 1000.0), asked.query, p_response, p_sources, p_status);
  update question set conversation_id = new_id where project_id = p_project and id = p_question;
  return new_id;
end
$$;`
}

const FIND_EXISTING = `
  select conversation_id into existing from question where project_id = p_project and id = p_question;
  if existing is not null then return existing; end if;`

/** SQL with the product's rule for ids, but without its handling of repeated turns. */
const COUNT_UNDER_LOCK = `
  select last_ms, last_counter into strict ms, counter
    from conversation_sequence where project_id = p_project for update;
  if ${CLOCK_MS} > ms then ms := ${CLOCK_MS}; counter := 0; else counter := counter + 1; end if;
  update conversation_sequence set last_ms = ms, last_counter = counter where project_id = p_project;
  new_id := make_ulid(ms, counter);`

/**
 * Returns the SQL of a function that reads pages without the fence and the seal, optionally with a
 * filter.
 */
function pageSql(filter: string): string {
  return `
create or replace function conversations_page(
  p_after text, p_from text, p_to text, p_limit integer, p_separator text,
  out rows text, out row_count integer, out last_id text, out has_more boolean
) language plpgsql as $$
begin
  select string_agg(page.json, p_separator order by page.id) filter (where page.place <= p_limit),
         count(*) filter (where page.place <= p_limit), max(page.id) filter (where page.place <= p_limit),
         count(*) > p_limit
    into rows, row_count, last_id, has_more
    from (
      select c.id, conversation_json(c) as json, row_number() over (order by c.id) as place
        from conversation c
       where c.project_id = current_project() and c.id > p_after and c.id >= p_from and c.id < p_to ${filter}
       order by c.id limit p_limit + 1
    ) as page;
end
$$;
create or replace function fence_conversations(p_seal_ms bigint) returns pg_lsn
language sql as $$ select pg_current_wal_insert_lsn() $$;`
}

export const PLANTED: readonly Variant[] = [
  {
    name: 'app-ulid',
    isPlanted: true,
    // The id is created before the transaction does its work, as if by an application.
    sql: publishSql(`${FIND_EXISTING}
  ms := ${CLOCK_MS};
  new_id := make_ulid(ms, ${RANDOM_COUNTER});
  perform pg_sleep(random() * 0.005);`),
    workload: CHAOS,
  },
  {
    name: 'bigserial',
    isPlanted: true,
    // All ids have the millisecond of today's midnight, so that only the sequence orders them.
    sql: `create sequence bench_order; grant usage on sequence bench_order to octavo_app;
${publishSql(`${FIND_EXISTING}
  ms := extract(epoch from current_date) * 1000;
  new_id := make_ulid(ms, nextval('bench_order')::integer);
  perform pg_sleep(random() * 0.005);`)}`,
    workload: CHAOS,
  },
  {
    name: 'safe-lag',
    isPlanted: true,
    // The reader hides rows that are younger than 200 ms, but a writer can take 800 ms.
    sql: `${publishSql(`${FIND_EXISTING}
  ms := ${CLOCK_MS};
  new_id := make_ulid(ms, ${RANDOM_COUNTER});
  perform pg_sleep(random() * 0.8);`)}
${pageSql(`and c.id < ulid_floor(${CLOCK_MS} - 200)`)}`,
    workload: CHAOS,
  },
  {
    name: 'watermark-ulid-order',
    isPlanted: true,
    // Hides rows of transactions that older ones may still overtake, but pages in another order.
    sql: `${publishSql(`${FIND_EXISTING}
  ms := ${CLOCK_MS};
  new_id := make_ulid(ms, ${RANDOM_COUNTER});
  perform pg_sleep(random() * 0.005);`)}
${pageSql('and c.xmin::text::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint')}`,
    workload: CHAOS,
  },
  {
    name: 'advisory-lock-random-ids',
    isPlanted: true,
    // Only one question is published at a time, but the order within a clock tick is random.
    sql: publishSql(`perform pg_advisory_xact_lock(p_project);
  ${FIND_EXISTING}
  ms := ${TICK_MS};
  new_id := make_ulid(ms, ${RANDOM_COUNTER});`),
    workload: CROWD,
  },
  {
    name: 'three-clock-reads',
    isPlanted: true,
    // If a tick starts between the first and the last read of the clock, the counter is reset to 0
    // in the old tick. The pause makes this likely.
    sql: `create function bench_now_ms() returns bigint language plpgsql as $$
begin perform pg_sleep(0.001); return ${TICK_MS}; end $$;
${publishSql(`${LOCK}
  ${FIND_EXISTING}
  update conversation_sequence set
    last_ms = case when bench_now_ms() > last_ms then bench_now_ms() else last_ms end,
    last_counter = case when bench_now_ms() > last_ms then 0 else last_counter + 1 end
    where project_id = p_project
    returning last_ms, last_counter into ms, counter;
  new_id := make_ulid(ms, counter);`)}`,
    workload: CROWD,
  },
  {
    name: 'no-fence',
    isPlanted: true,
    sql: pageSql(''),
    workload: { ...CROWD, windows: true },
  },
  {
    name: 'replica-without-lsn',
    isPlanted: true,
    // The product's fence, but without waiting for the replica: every server has reached 0/0.
    sql: `alter function fence_conversations(bigint) rename to bench_fence;
create function fence_conversations(p_seal_ms bigint) returns pg_lsn
language sql as $$ select bench_fence(p_seal_ms); select '0/0'::pg_lsn $$;`,
    workload: { ...CROWD, windows: true, hasReplica: true },
  },
  {
    name: 'detached-partition',
    isPlanted: true,
    // The bug is in the maintenance, which detaches a partition and attaches it again.
    sql: '',
    workload: { ...CROWD, windows: true, hasReplica: true, partitions: 'detached' },
  },
  {
    name: 'retry-publishes-again',
    isPlanted: true,
    // This variant shows that kills leave unknown outcomes, and that two rows of one turn are
    // detected.
    sql: publishSql(COUNT_UNDER_LOCK),
    workload: { ...CHAOS, secondsMax: 20 },
  },
  {
    name: 'answers-before-durable',
    isPlanted: true,
    // This variant shows that the crashes of the database are real.
    sql: publishSql(`perform set_config('synchronous_commit', 'off', true);
  ${LOCK}
  ${FIND_EXISTING}
  ${COUNT_UNDER_LOCK}`),
    workload: { ...CROWD, exporters: 1, pollPauseMsMax: 500, chaos: 'all', secondsMax: 30 },
  },
]
