import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'

const ROOT = join(import.meta.dirname, '../../../..')

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
  ...dashboard.templating.list.map(({ query }: { query: string | { query: string } }) =>
    typeof query === 'string' ? query : query.query,
  ),
]
const namesIn = (text: string) => new Set(text.match(/\boctavo_[a-z_]+/g))

let service: TestService
let metrics: string
beforeAll(async () => {
  service = await startTestService()
  // A histogram has no buckets before the first request.
  await service.get(await service.createProject())
  metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
})
afterAll(() => service.stop())

test('every metric of the dashboard and the alerts is one that a running service has', () => {
  const real = namesIn(metrics)
  const used = namesIn(queries.join('\n'))
  expect(used.size).toBeGreaterThan(5)
  expect([...used].filter((name) => !real.has(name))).toEqual([])
})

test('every metric is on the dashboard and in the documentation', () => {
  const declared = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  expect(declared).toContain('octavo_jobs_wait_seconds')
  const documentation = read('docs/operate/monitoring.mdx')
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  expect(declared.filter((name) => !shown.includes(name))).toEqual([])
  expect(declared.filter((name) => !documentation.includes(`\`${name}\``))).toEqual([])
})

test('every alert says what is wrong and what to do, and has a section in the documentation', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations.summary, alert).toMatch(/\.$/)
    expect(annotations.action, alert).toMatch(/\.$/)
    const [path = '', anchor] = annotations.documentation.split('#')
    expect(existsSync(join(ROOT, path)), alert).toBe(true)
    expect(anchor).toBe(alert.toLowerCase())
    expect(read(path)).toContain(`\n### ${alert}\n`)
  }
})

test('parentheses and braces of every query match, and its variables are those of the dashboard', () => {
  for (const query of queries) {
    const open: string[] = []
    for (const sign of query.match(/[()[\]{}]/g) ?? []) {
      if ('([{'.includes(sign)) open.push(sign)
      else expect(`${open.pop()}${sign}`, query).toMatch(/^(?:\(\)|\[\]|\{\})$/)
    }
    expect(open, query).toEqual([])
    for (const [variable] of query.matchAll(/\$\w+/g))
      expect(['$job', '$__rate_interval'], query).toContain(variable)
  }
})

test('a job that waits and a job that failed are seen in the metrics', async () => {
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

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
