import { expect, test } from 'vitest'
import { RequestCounts } from './request-counts.ts'

test('requests are counted by method, route and status, and their durations by route', () => {
  const counts = new RequestCounts()
  const page = { method: 'GET', route: 'site', status: 200 }
  // The limit of a bucket belongs to the bucket.
  for (const ms of [5, 6, 5_001]) counts.add({ ...page, ms })
  counts.add({ method: 'GET', route: 'site', status: 304, ms: 1 })
  counts.add({ method: 'HEAD', route: 'site', status: 200, ms: 1 })
  counts.add({ method: 'GET', route: '/v1/"x"', status: 500, ms: 100 })
  const lines = counts.print().split('\n')
  expect(lines.filter((line) => line.startsWith('octavo_requests_total'))).toEqual([
    'octavo_requests_total{method="GET",route="site",status="200"} 3',
    'octavo_requests_total{method="GET",route="site",status="304"} 1',
    'octavo_requests_total{method="HEAD",route="site",status="200"} 1',
    'octavo_requests_total{method="GET",route="/v1/\\"x\\"",status="500"} 1',
  ])
  expect(lines.filter((line) => /_seconds.*"site"/.test(line))).toEqual([
    'octavo_request_seconds_bucket{le="0.005",route="site"} 3',
    'octavo_request_seconds_bucket{le="0.01",route="site"} 4',
    ...['0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5'].map(
      (limit) => `octavo_request_seconds_bucket{le="${limit}",route="site"} 4`,
    ),
    'octavo_request_seconds_bucket{le="+Inf",route="site"} 5',
    `octavo_request_seconds_sum{route="site"} ${0.005 + 0.006 + 5.001 + 0.001 + 0.001}`,
    'octavo_request_seconds_count{route="site"} 5',
  ])
})
