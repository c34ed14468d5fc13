import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { parser } from '@prometheus-io/lezer-promql'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCertificate } from '../../../testing/start-pebble.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { createServiceMetrics } from '../../app/roles/service-metrics.ts'
import { createLog } from './log.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

type Alert = {
  readonly alert: string
  readonly expr: string
  readonly annotations: Readonly<Record<'summary' | 'action' | 'documentation', string>>
}
type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] }

const alerts: readonly Alert[] = (
  load(read('deploy/prometheus/alerts.yaml')) as { groups: [{ rules: Alert[] }] }
).groups[0].rules
const dashboard = JSON.parse(read('deploy/grafana/octavo.json'))
const panels: readonly Panel[] = dashboard.panels
const queries = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  // Extracts the selector from `label_values`, which is a Grafana function.
  ...dashboard.templating.list.flatMap(({ query }: { query: string | { query: string } }) =>
    typeof query === 'string' ? [] : /^label_values\((.*), \w+\)$/.exec(query.query)?.[1],
  ),
]
const namesIn = (text: string) => new Set(text.match(/\boctavo_[a-z_]+/g))

let service: TestService
let metrics: string
beforeAll(async () => {
  service = await startTestService()
  // Sends a request, because the histogram has no buckets before the first one.
  await service.get(await service.createProject())
  metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
})
afterAll(() => service.stop())

test('Prometheus can parse every query of the alerts and the dashboard', () => {
  expect(queries.length).toBeGreaterThan(20)
  expect(queries.filter((query) => parseQuery(query).problem !== undefined)).toEqual([])
})

test.each([
  ['max(octavo_jobs_failed', 22],
  ['rate(octavo_requests_total[5m)', 29],
  ['sum by route (octavo_requests_total)', 7],
  ['maximum(octavo_jobs_failed)', 7],
  ['max(octavo_jobs_failed) >', 25],
])('the PromQL parser rejects the invalid query %s', (query, problem) => {
  expect(parseQuery(query).problem).toBe(problem)
})

test('every query uses only metrics and variables that exist', () => {
  const real = namesIn(metrics)
  // Prometheus itself provides `up`.
  const used = new Set(queries.flatMap((query) => parseQuery(query).metrics)).difference(
    new Set(['up']),
  )
  expect(used.size).toBeGreaterThan(10)
  expect([...used].filter((name) => !real.has(name))).toEqual([])
  for (const [variable] of queries.join('\n').matchAll(/\$\w+/g))
    expect(['$job', '$__rate_interval']).toContain(variable)
})

test('every metric is on the dashboard and in the documentation', () => {
  const declared = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  expect(declared).toContain('octavo_jobs_wait_seconds')
  const documentation = read('docs/operate/monitoring.mdx')
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  expect(declared.filter((name) => !shown.includes(name))).toEqual([])
  expect(declared.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([])
})

test('every alert has a summary, an action and a section in the documentation', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations.summary, alert).toMatch(/\.$/)
    expect(annotations.action, alert).toMatch(/\.$/)
    const [path = '', anchor] = annotations.documentation.split('#')
    expect(existsSync(join(ROOT, path)), alert).toBe(true)
    expect(anchor).toBe(alert.toLowerCase())
    expect(read(path)).toContain(`\n### ${alert}\n`)
  }
})

test('the metrics show waiting and failed jobs', async () => {
  await service.owner.query(
    `insert into jobs.job (name, state, start_after, completed_on) values
       ('webhook', 'created', now() - interval '20 minutes', null),
       ('webhook', 'created', now() + interval '20 minutes', null),
       ('webhook', 'failed', now(), now() - interval '1 hour'),
       ('webhook', 'failed', now(), now() - interval '2 days')`,
  )
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  const readGauge = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
  expect(readGauge('octavo_jobs_wait_seconds')).toBeGreaterThan(1_190)
  expect(readGauge('octavo_jobs_failed')).toBe(1)
})

describe('certificate metrics', () => {
  const DAY_MS = 86_400_000
  const domainsEndIn = async (...days: readonly (number | undefined)[]) => {
    const { id } = await service.createProject()
    for (const [index, count] of days.entries()) {
      const endsAt = count === undefined ? undefined : new Date(Date.now() + count * DAY_MS)
      await service.owner.query(
        `insert into domain_claim (project_id, name, token, state, checks) values ($1, $2, md5($2), $3, $4)`,
        [id, `d${index}.p${id}.example.com`, 'active', { certificate: { state: 'ok', endsAt } }],
      )
    }
    return (state: string) =>
      service.owner.query('update domain_claim set state = $2 where project_id = $1', [id, state])
  }

  test('the metrics show when the first certificate expires and how many expire soon', async () => {
    const watched = watch({})
    expect(await watched.read('octavo_certificate_days')).toBeNaN()
    const setState = await domainsEndIn(80, 9.5, 10.5, undefined, -1)
    // The value is cached for a while, because reading the domains of all projects at every scrape
    // is expensive.
    expect(await watched.read('octavo_certificate_days')).toBeNaN()
    watched.wait(60_000)
    expect(await watched.read('octavo_certificate_days')).toBeCloseTo(-1, 1)
    expect(await watched.read('octavo_certificates_ending')).toBe(2)
    // Domains that are not served are ignored, because they need no certificate.
    await setState('lapsed')
    watched.wait(60_000)
    expect(await watched.read('octavo_certificate_days')).toBeNaN()
    expect(await watched.read('octavo_certificates_ending')).toBe(0)
  })

  test("the service's own certificate is checked, and a warning is logged before it expires", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-certificate-'))
    const [file, key] = [join(folder, 'a.pem'), join(folder, 'a.key')]
    createCertificate({ file, key, names: ['DNS:localhost'], days: 5 })
    const server = createServer({ cert: readFileSync(file), key: readFileSync(key) })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    try {
      const watched = watch({ url: `https://localhost:${port}` })
      await expect
        .poll(() => watched.read('octavo_certificate_days'), { timeout: 10_000 })
        .toBeCloseTo(5, 1)
      expect(await watched.read('octavo_certificates_ending')).toBe(1)
      expect(watched.lines.map((line) => JSON.parse(line))).toMatchObject([
        { message: 'a certificate ends soon', name: 'localhost', days: 4 },
      ])
    } finally {
      server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test("the metrics count projects whose usage is near the project's own or the default budget", async () => {
  const watched = watch({ tokensPerDay: 1_000, tokensPerMonth: 10_000 })
  const use = async (tokens: number, own: Record<string, number> = {}) => {
    const { id } = await service.createProject()
    await service.owner.query(
      `insert into assistant_usage (project_id, day, used_tokens)
       values ($1, (now() at time zone 'UTC')::date, $2)`,
      [id, tokens],
    )
    await service.owner.query(
      'insert into assistant (project_id, tokens_per_day, tokens_per_month) values ($1, $2, $3)',
      [id, own.day ?? null, own.month ?? null],
    )
    // The service adds such a row when a question may reach 80 % of a budget.
    await service.owner.query('insert into notice_work (project_id) values ($1)', [id])
    return id
  }
  await use(799)
  await use(800)
  await use(1_000)
  await use(1_500, { day: 2_000 })
  await use(1_600, { day: 2_000 })
  await use(1_600, { day: 1_000_000, month: 1_600 })
  await use(1_600, { day: 0, month: 0 })
  const fired = await use(900)
  await service.owner.query(
    `with gone as (delete from notice_work where project_id = $1)
     insert into notice (project_id, kind, subject, facts) values ($1, 'assistant.budget', budget_period('month'), '{}')`,
    [fired],
  )
  expect(await watched.read('octavo_assistant_budgets_near')).toBe(5)
  expect(await watched.read('octavo_assistant_budgets_spent')).toBe(2)
})

/** Creates a worker's metrics with their own settings, log and clock. */
function watch(more: {
  readonly url?: string
  readonly tokensPerDay?: number
  readonly tokensPerMonth?: number
}) {
  const lines: string[] = []
  let waitedMs = 0
  const now = () => Date.now() + waitedMs
  const { url, tokensPerDay, tokensPerMonth } = more
  const { print } = createServiceMetrics({
    settings: {
      url,
      sitesDomain: undefined,
      previewsDomain: undefined,
      assistant: { model: undefined, tokensPerDay, tokensPerMonth },
    },
    database: service.service.database,
    isWorker: true,
    countAnswers: () => 0,
    traces: undefined,
    log: createLog((line) => lines.push(line), now),
    now,
  })
  return {
    lines,
    wait(ms: number) {
      waitedMs += ms
    },
    read: async (name: string) =>
      Number(new RegExp(`^${name} (.*)$`, 'm').exec(await print())?.[1]),
  }
}

/** Returns the position of a syntax error, if any, and the metrics that the query uses. */
function parseQuery(query: string) {
  // Grafana replaces this variable with a duration.
  const text = query.replaceAll('$__rate_interval', '5m')
  let problem: number | undefined
  const names: string[] = []
  parser.parse(text).iterate({
    enter({ type, node, from, to }) {
      if (type.isError) problem ??= from
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(text.slice(from, to))
    },
  })
  return { problem, metrics: names }
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
