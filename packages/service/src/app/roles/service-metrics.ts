import type { Database } from '../../platform/database/database.ts'
import { JOBS_SCHEMA } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import {
  createMetrics,
  type GaugeSpec,
  type Metrics,
  type Observation,
} from '../../platform/telemetry/metrics.ts'
import { newSpanContext, type Span, type Traces } from '../../platform/telemetry/traces.ts'
import {
  createCertificateWatch,
  readDomainCertificates,
} from '../../publishing/domains/certificate-watch.ts'
import type { Settings } from '../settings/env.ts'

/**
 * Metrics that need rows of many projects are cached for this time, however often Prometheus
 * scrapes them.
 */
const COUNT_MS = 60_000

export type ServiceMetricsDeps = {
  readonly settings: Pick<Settings, 'assistant' | 'url' | 'sitesDomain' | 'previewsDomain'>
  readonly database: Database
  readonly isWorker: boolean
  readonly countAnswers: () => number
  readonly traces: Traces | undefined
  readonly log: Log
  readonly now: () => number
}

/** Creates the metrics of this process, including those of its requests. */
export function createServiceMetrics(deps: ServiceMetricsDeps): Metrics {
  const { database, isWorker, countAnswers, traces } = deps
  const gauges = {
    octavo_database_connections: {
      help: 'Open connections to the database.',
      read: () => database.pool.totalCount,
    },
    octavo_database_waiting: {
      help: 'Requests waiting for a database connection.',
      read: () => database.pool.waitingCount,
    },
    octavo_assistant_answers: {
      help: 'Answers of the assistant in progress.',
      read: countAnswers,
    },
    ...(isWorker && installationGauges(deps)),
  }
  const metrics = createMetrics(gauges, {
    octavo_spans_dropped_total: {
      help: 'Spans that could not be sent to the trace collector.',
      read: () => traces?.countDropped() ?? 0,
    },
  })
  if (traces === undefined) return metrics
  return {
    ...metrics,
    observe(observation) {
      metrics.observe(observation)
      traces.record(spanOf(observation))
    },
  }
}

/**
 * Creates the span of a request. The request id in the response is also the trace id, so that the
 * trace of a request is easy to find.
 */
function spanOf({ method, route, status, ms, requestId }: Observation): Span {
  return {
    name: `${method} ${route}`,
    kind: 'server',
    ms,
    isError: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      ...(requestId !== undefined && { 'octavo.request_id': requestId }),
    },
    context: newSpanContext(requestId?.replaceAll('-', '')),
  }
}

/** Returns gauges for the whole installation, which workers read from the database. */
function installationGauges(deps: ServiceMetricsDeps): Readonly<Record<string, GaugeSpec>> {
  const { settings, database, now } = deps
  const readDomains = () => readDomainCertificates(database)
  const certificates = createCertificateWatch({
    ...deps,
    readDomains: cachedFor(COUNT_MS, { read: readDomains, now }),
  })
  const countBudgets = cachedFor(COUNT_MS, {
    read: () => readUsedBudgets(database, settings.assistant),
    now,
  })
  return {
    octavo_clock_ahead_seconds: {
      help: 'How far the newest id is ahead of the clock of the database.',
      read: async () => {
        const [row] = await database.query<{ ms: string }>('select clock_ahead_ms() as ms')
        return Number(row?.ms ?? 0) / 1_000
      },
    },
    octavo_jobs_wait_seconds: {
      help: 'How long the oldest background job that could start has waited, in all processes.',
      read: async () => {
        const [row] = await database.query<{ seconds: number }>(
          `select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds
             from ${JOBS_SCHEMA}.job
            where state < 'active' and not blocked and start_after <= now()`,
        )
        return row?.seconds ?? 0
      },
    },
    octavo_jobs_failed: {
      help: 'Background jobs that permanently failed in the last day, in all processes.',
      read: async () => {
        const [row] = await database.query<{ count: number }>(
          `select count(*)::integer as count from ${JOBS_SCHEMA}.job
            where state = 'failed' and completed_on > now() - interval '1 day'`,
        )
        return row?.count ?? 0
      },
    },
    octavo_certificate_days: {
      help: 'Days until the first certificate expires, of custom domains and of the service. NaN while none is known.',
      read: certificates.days,
    },
    octavo_certificates_ending: {
      help: 'Certificates of custom domains and of the service that expire within 10 days.',
      read: certificates.countExpiring,
    },
    octavo_assistant_budgets_near: {
      help: 'Projects whose assistant has used at least 80 % of its tokens for the day or month.',
      read: async () => (await countBudgets()).near,
    },
    octavo_assistant_budgets_spent: {
      help: 'Projects whose assistant has used all of its tokens for the day or month.',
      read: async () => (await countBudgets()).spent,
    },
  }
}

type UsedBudgets = { readonly near: number; readonly spent: number }

async function readUsedBudgets(
  database: Database,
  { tokensPerDay, tokensPerMonth }: Settings['assistant'],
): Promise<UsedBudgets> {
  const [row] = await database.query<UsedBudgets>(
    'select near, spent from count_used_budgets($1, $2)',
    [tokensPerDay ?? null, tokensPerMonth ?? null],
  )
  return row ?? { near: 0, spent: 0 }
}

/**
 * Caches the result of a read, so that gauges that are collected together share it. Failed reads
 * are not cached.
 */
function cachedFor<Value>(
  ms: number,
  { read, now }: { readonly read: () => Promise<Value>; readonly now: () => number },
): () => Promise<Value> {
  let value: Promise<Value> | undefined
  let readAt = 0
  return () => {
    if (value !== undefined && now() - readAt < ms) return value
    readAt = now()
    const reading = read()
    reading.catch(() => {
      if (value === reading) value = undefined
    })
    value = reading
    return reading
  }
}
