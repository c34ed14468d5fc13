import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { PROBLEMS } from '../problem.ts'
import { openApiDocument } from './openapi-document.ts'
import { rejectsArchived } from './route.ts'

type Operation = {
  readonly responses: Readonly<Record<string, object>>
  readonly parameters: readonly { readonly description?: string }[]
  readonly requestBody?: object
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('the service serves the OpenAPI document, which matches the file docs/api/openapi.json', async () => {
  const text = `${JSON.stringify(openApiDocument(service.service.routes), null, 2)}\n`
  await expect(text).toMatchFileSnapshot(
    join(import.meta.dirname, '../../../../../docs/api/openapi.json'),
  )
  const served = await fetch(`${service.url}/v1/openapi.json`)
  expect(await served.json()).toEqual(JSON.parse(text))
})

test('the export parameter `limit` must be a whole number from 1 to 1000, 100 by default (requirement E8)', () => {
  const { paths } = openApiDocument(service.service.routes) as {
    paths: Record<string, Record<string, { parameters: readonly Record<string, unknown>[] }>>
  }
  const { parameters = [] } = paths['/v1/analytics/{projectId}/assistant']?.get ?? {}
  expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100,
  })
})

test('the OpenAPI document contains exactly the routes that the code defines', async () => {
  const document = openApiDocument(service.service.routes) as {
    paths: Record<string, Record<string, unknown>>
  }
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const coded = service.service.routes.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(documented.toSorted()).toEqual(coded.toSorted())
})

test('all possible problems and path parameters of each route are documented', () => {
  const document = openApiDocument(service.service.routes) as {
    paths: Record<string, Record<string, Operation>>
  }
  for (const route of service.service.routes) {
    const { path, method, problems = [] } = route
    const documented = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const { responses = {}, parameters = [], requestBody } = documented ?? {}
    const withBody = ['conflict', 'too-large']
    // These problems occur only in some routes, or their status is documented for every route
    // anyway.
    const special = [
      'invalid-signature',
      'invalid-ticket',
      'gone',
      'unprocessable',
      'upstream-failed',
      'insufficient-storage',
    ]
    const ofProjects = rejectsArchived(route) ? [] : ['archived']
    const own = [...special, ...ofProjects, ...(requestBody === undefined ? withBody : [])]
    const possible = Object.entries(PROBLEMS)
      .filter(([code]) => !own.includes(code) || problems.some((one) => one === code))
      .map(([, problem]) => String(problem.status))
    expect(Object.keys(responses).filter((status) => Number(status) >= 400)).toEqual([
      ...new Set(possible),
    ])
    for (const { description } of parameters) expect(description).toMatch(/\.$/)
  }
})

test('health, readiness and metrics are served on the admin port without a key', async () => {
  // A process with the role `all` is ready only when it also runs jobs.
  expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(503)
  await service.service.startWorker()
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(service.adminUrl + path)).status).toBe(200)
    expect((await fetch(service.url + path)).status).toBe(404)
  }
  expect((await fetch(`${service.adminUrl}/`)).status).toBe(404)
})
