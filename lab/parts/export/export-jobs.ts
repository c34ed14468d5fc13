import type { BenchProject } from './bench-service.ts'
import { type JobResult, runJob } from './load-client.ts'
import { type PgbenchResult, runPgbench } from './pgbench.ts'

export type JobsInput = {
  readonly project: BenchProject
  readonly cursors: readonly string[]
  readonly servicePort: number
  readonly postgresPort: number
  readonly connections: number
  readonly seconds: number
}

export type ExportJobs = {
  /** Loads pages over HTTP, each after one of the cursors. */
  readonly loadPages: (limit: number) => Promise<JobResult>
  /** Loads the same pages from the database. */
  readonly loadBarePages: (limit: number) => Promise<PgbenchResult>
  /** Reads all rows over HTTP. The client can pause for a while. */
  readonly readStream: (pauseMs: number) => Promise<JobResult>
  /** Reads all rows from the database. */
  readonly readCopy: () => Promise<JobResult>
  /** Sends requests with a key whose checksum is wrong. */
  readonly loadRefusals: () => Promise<JobResult>
}

export function createExportJobs(input: JobsInput): ExportJobs {
  const { project, cursors, servicePort: port, postgresPort, connections, seconds } = input
  const key = `Authorization: Bearer ${project.token}`
  const otherEnd = project.token.endsWith('0') ? '1' : '0'
  const wrongKey = `Authorization: Bearer ${project.token.slice(0, -1)}${otherEnd}`
  return {
    loadPages: (limit) =>
      runJob({
        kind: 'pages',
        port,
        connections,
        seconds,
        status: 200,
        requests: cursors.map((cursor) =>
          printRequest(project, `?limit=${limit}&cursor=${cursor}`, key),
        ),
      }),
    loadBarePages: (limit) =>
      runPgbench({
        port: postgresPort,
        clients: connections,
        seconds,
        // pgbench binds a session to its project once, while the service binds every transaction.
        settings: {
          'octavo.project_id': project.tenant.projectId,
          'octavo.organization_id': project.tenant.organizationId,
        },
        statements: cursors.map(
          (cursor) => `select * from conversations_page('${cursor}', '', '8', ${limit}, ',')`,
        ),
      }),
    readStream: (pauseMs) => {
      const request = printRequest(project, '', key, 'Accept: application/x-ndjson')
      return runJob({ kind: 'stream', port, request, pauseMs })
    },
    readCopy: () => {
      const rows = `select conversation_json(c) from conversation c where project_id = ${project.id}`
      const statement = `copy (${rows} order by id) to stdout`
      return runJob({ kind: 'copy', port: postgresPort, statement })
    },
    loadRefusals: () =>
      runJob({
        kind: 'pages',
        port,
        connections,
        seconds,
        status: 401,
        requests: [printRequest(project, '', wrongKey)],
      }),
  }
}

export function printRequest(
  project: Pick<BenchProject, 'publicId'>,
  search: string,
  ...headers: readonly string[]
): string {
  const target = `/v1/analytics/${project.publicId}/assistant${search}`
  return [`GET ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
}
