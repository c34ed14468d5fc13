/** Tests the traces that a collector receives from a real service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type OtlpCollector, startOtlpCollector } from '../../../testing/otlp-collector.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { BUILD_QUEUE } from '../../publishing/builds/accept-build.ts'
import { BuildJobs } from '../../publishing/builds/build-jobs.ts'
import { openFolderStore } from '../blobs/folder-store.ts'
import { createJobSender, openJobQueue } from '../jobs/job-queue.ts'
import { createLog } from './log.ts'
import { TRACE_LIMITS, Traces } from './traces.ts'

const POLL = { interval: 50, timeout: 15_000 }
const CANARY = 'canary-7f3a91c2'

const folder = mkdtempSync(join(tmpdir(), 'octavo-traces-'))
let collector: OtlpCollector
const services: TestService[] = []

beforeAll(async () => {
  collector = await startOtlpCollector()
})
afterEach(() => collector.respond(200))
afterAll(async () => {
  for (const service of services) await service.stop()
  await collector.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a service that sends its traces if there is an endpoint. */
async function start(endpoint?: string): Promise<TestService> {
  const headers = { 'x-api-key': 'key of the collector' }
  const service = await startTestService({
    url: 'http://127.0.0.1',
    sitesDomain: 'sites.localhost',
    blobStore: await openFolderStore(folder),
    traces:
      endpoint === undefined
        ? undefined
        : { url: `${endpoint}/v1/traces`, headers, serviceName: 'octavo-test' },
  })
  services.push(service)
  return service
}

const droppedOf = async (service: TestService) => {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  return Number(/^octavo_spans_dropped_total (.*)$/m.exec(text)?.[1])
}
const spansOf = (service: string) =>
  collector.spans.filter(({ resource }) => resource['service.name'] === service)

describe('traces of requests', () => {
  test('the span of an API request can be found by its request id', async () => {
    const service = await start(collector.url)
    const project = await service.createProject()
    const reply = await service.get(project)
    expect(reply.status).toBe(200)
    await service.service.flush()
    const requestId = reply.headers.get('x-request-id') ?? ''
    const found = collector.spans.filter(
      ({ attributes }) => attributes['octavo.request_id'] === requestId,
    )
    expect(found).toMatchObject([
      {
        traceId: requestId.replaceAll('-', ''),
        name: 'GET /v1/analytics/:projectId/assistant',
        kind: 2,
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/v1/analytics/:projectId/assistant',
          'http.response.status_code': '200',
        },
        resource: { 'service.name': 'octavo-test', 'octavo.role': 'all' },
        status: {},
      },
    ])
    const [{ startTimeUnixNano = '', endTimeUnixNano = '' } = {}] = found
    const ms = Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6
    expect(ms).toBeGreaterThan(0)
    expect(Math.abs(Number(endTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000)
    expect(collector.requests.at(-1)?.headers['x-api-key']).toBe('key of the collector')
  })

  test('spans contain no path, query, header, key or body of a request', async () => {
    const service = await start(collector.url)
    const project = await service.createProject(KEY_SCOPES)
    const site = siteOf({ 'index.html': 'Welcome', [`${CANARY}/index.html`]: 'Guide' })
    await clientOf(service.url, project).deploy(site)
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [project.id],
    )
    const host = `${row?.slug}.sites.localhost`
    const before = collector.requests.length
    const traceId = 'abcdefabcdefabcdefabcdefabcdefab'
    const headers = {
      cookie: `session=${CANARY}`,
      referer: `https://example.com/${CANARY}`,
      'user-agent': CANARY,
      'x-forwarded-for': '203.0.113.77',
      traceparent: `00-${traceId}-abcdefabcdefabcd-01`,
      tracestate: `vendor=${CANARY}`,
      baggage: `user=${CANARY}`,
    }
    await service.get(project, `?token=${CANARY}`, headers)
    await fetch(`${service.url}/v1/${CANARY}?q=${CANARY}`, { headers })
    await fetch(`${service.url}/${CANARY}`, { headers })
    await fetch(`${service.url}/v1/analytics/${CANARY}/assistant`, {
      headers: { ...headers, authorization: `Bearer ${CANARY}` },
    })
    for (const path of ['/', `/${CANARY}/`, `/${CANARY}-none?q=${CANARY}`])
      await visit(service.port, host, path, { headers })
    await visit(service.port, host, `/_octavo/assistant/questions?q=${CANARY}`, { headers })
    await fetch(`${service.url}/v1/projects/${project.publicId}/domains`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${project.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: `${CANARY}.example.com` }),
    })
    await service.service.flush()
    const sent = collector.requests
      .slice(before)
      .map(({ body }) => body)
      .join('\n')
    for (const secret of [CANARY, project.token, project.publicId, host, '203.0.113', traceId])
      expect(sent).not.toContain(secret)
    const routes = new Set(
      [...sent.matchAll(/"http\.route","value":\{"stringValue":"([^"]+)"/g)].map(
        ([, route]) => route,
      ),
    )
    expect([...routes]).toEqual(
      expect.arrayContaining(['/v1/analytics/:projectId/assistant', '*', 'site', 'assistant']),
    )
  })
})

describe('traces of jobs', () => {
  test('each job is recorded as a separate span', async () => {
    const service = await start(collector.url)
    await service.service.startWorker()
    const jobs = () => collector.spans.filter(({ name }) => name === 'job maintenance')
    await vi.waitFor(async () => {
      await service.service.flush()
      expect(jobs().length).toBeGreaterThan(0)
    }, POLL)
    expect(jobs()[0]).toMatchObject({
      kind: 5,
      status: {},
      attributes: { 'octavo.queue': 'maintenance', 'octavo.job_id': expect.any(String) },
    })
  })

  test('the span of a build job has a child span with build id and outcome', async () => {
    const service = await start()
    const { database } = service.service
    const log = createLog((line) => service.log.push(line), Date.now)
    const settings = { url: `${collector.url}/v1/traces`, headers: {}, serviceName: 'builds' }
    const traces = new Traces({ settings, role: 'worker', log, now: Date.now })
    const jobSender = createJobSender({ database, log })
    const ends = [{ state: 'failed', reason: CANARY }, new Error(CANARY)] as const
    let runs = 0
    const buildJobs = new BuildJobs({
      database,
      jobSender,
      onBuildChanged: async () => {},
      run: async () => {
        const end = ends[runs++]
        if (end instanceof Error || end === undefined) throw end ?? new Error('too many')
        return end
      },
      log,
    })
    const jobs = await openJobQueue({ database, log, traces })
    try {
      await jobs.work(BUILD_QUEUE, (job) => buildJobs.handle(job))
      for (const _ of ends) {
        const { tenant } = await service.createProject()
        const id = await service.service.acceptBuild(tenant, {
          target: 'production',
          ref: CANARY,
          commit: 'c'.repeat(40),
          pullRequest: undefined,
          isFork: false,
          trigger: 'webhook',
        })
        await vi.waitFor(async () => {
          await traces.flush()
          expect(spansOf('builds').map(({ attributes }) => attributes)).toContainEqual(
            expect.objectContaining({ 'octavo.build_id': id }),
          )
        }, POLL)
      }
      await vi.waitFor(async () => {
        await traces.flush()
        expect(spansOf('builds')).toHaveLength(4)
      }, POLL)
      const [failed, failedJob, interrupted, interruptedJob] = spansOf('builds')
      expect(failed).toMatchObject({
        name: 'build',
        kind: 1,
        status: { code: 2 },
        attributes: { 'octavo.build_state': 'failed' },
      })
      // The job itself succeeded, because it reported that the build failed.
      expect(failedJob).toMatchObject({ name: 'job build', status: {} })
      expect(failed).toMatchObject({
        traceId: failedJob?.traceId,
        parentSpanId: failedJob?.spanId,
      })
      expect(interrupted?.attributes['octavo.build_state']).toBe('interrupted')
      expect(interruptedJob).toMatchObject({ name: 'job build', status: { code: 2 } })
      expect(JSON.stringify(spansOf('builds'))).not.toContain(CANARY)
    } finally {
      buildJobs.stop()
      await jobs.stop()
      await jobSender.stop()
      await traces.stop()
    }
  })
})

describe('the trace collector', () => {
  const SPAN = { name: 'test', kind: 'internal', ms: 1, isError: false, attributes: {} } as const

  function open(url = collector.url) {
    const lines: string[] = []
    const traces = new Traces({
      settings: { url: `${url}/v1/traces`, headers: {}, serviceName: 'queue' },
      role: 'all',
      log: createLog((line) => lines.push(line), Date.now),
      now: Date.now,
    })
    return { traces, messages: () => lines.map((line) => JSON.parse(line).message) }
  }

  test('an unreachable collector does not slow requests, and dropped spans are counted', async () => {
    const gone = await startOtlpCollector()
    await gone.stop()
    const service = await start(gone.url)
    const begun = performance.now()
    for (let count = 0; count < 2_100; count += 50) {
      const replies = await Promise.all(
        Array.from({ length: 50 }, () => fetch(`${service.url}/v1/none`)),
      )
      for (const reply of replies) {
        expect(reply.status).toBe(404)
        await reply.arrayBuffer()
      }
    }
    await service.service.flush()
    expect(await droppedOf(service)).toBe(2_100 - TRACE_LIMITS.queued)
    expect(performance.now() - begun).toBeQuick(20_000)
    const warnings = service.log.filter((line) => line.includes('traces are not sent'))
    expect(warnings).toHaveLength(1)
  })

  test('a collector that never responds slows neither requests nor shutdown', async () => {
    collector.respond(undefined)
    const service = await start(collector.url)
    await service.get(await service.createProject())
    void service.service.flush()
    const begun = performance.now()
    expect((await service.get(await service.createProject())).status).toBe(200)
    services.pop()
    await service.stop()
    expect(performance.now() - begun).toBeQuick(5_000)
  })

  test('a collector that recovers receives the newest spans, as many as fit in the queue', async () => {
    const { traces, messages } = open()
    collector.respond(503)
    for (let count = 0; count < 3_000; count += 1) traces.record({ ...SPAN, attributes: { count } })
    await traces.flush()
    expect(traces.countDropped()).toBe(3_000 - TRACE_LIMITS.queued)
    collector.respond(200)
    await traces.flush()
    while (spansOf('queue').length < TRACE_LIMITS.queued) await traces.flush()
    const counts = spansOf('queue').map(({ attributes }) => Number(attributes.count))
    expect(counts).toHaveLength(TRACE_LIMITS.queued)
    expect([counts[0], counts.at(-1)]).toEqual([3_000 - TRACE_LIMITS.queued, 2_999])
    expect(messages()).toEqual(['traces are not sent', 'traces are sent again'])
    await traces.stop()
  })

  test('spans that the collector rejects are not sent again', async () => {
    const { traces } = open()
    const before = collector.requests.length
    collector.respond(401)
    traces.record(SPAN)
    await traces.flush()
    await traces.flush()
    expect(traces.countDropped()).toBe(1)
    collector.respond(200, '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}')
    for (let count = 0; count < 3; count += 1) traces.record(SPAN)
    await traces.flush()
    expect(traces.countDropped()).toBe(3)
    expect(collector.requests.length - before).toBe(2)
    await traces.stop()
  })

  test('queued spans are sent when the service stops', async () => {
    const { traces } = open()
    const before = collector.spans.length
    traces.record(SPAN)
    await traces.stop()
    expect(collector.spans.length - before).toBe(1)
  })

  test('no traces are sent if no endpoint is configured', async () => {
    const service = await start()
    const reply = await service.get(await service.createProject())
    expect(reply.status).toBe(200)
    await service.service.flush()
    const requestId = reply.headers.get('x-request-id')
    // Services from earlier tests may still send their own spans.
    expect(
      collector.spans.filter(({ attributes }) => attributes['octavo.request_id'] === requestId),
    ).toEqual([])
    expect(await droppedOf(service)).toBe(0)
  })
})
