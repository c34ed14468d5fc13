import { expect, test } from 'vitest'
import { manualPage } from './manual-page.ts'
import { hostSources } from './playground-origins.ts'

const SERVERS = ['https://api.example.com/v1', 'http://localhost:8080', 'wss://live.example.com']

function originsWith(playground: { proxy?: boolean; credentials?: boolean }) {
  const page = manualPage({
    file: 'plants.mdx',
    text: '---\ntitle: Plants\napi: GET /plants\n---\n',
    nodes: [],
    settings: { mdx: { server: SERVERS }, playground },
  })
  return page?.origins
}

test('the origins of a page list the servers to which a host may forward playground requests', () => {
  const origins = originsWith({})
  expect(origins?.servers).toEqual(['http://localhost:8080', 'https://api.example.com'])
  expect(originsWith({ proxy: true })).toEqual(origins)
})

test.each([{ proxy: false }, { credentials: true }])(
  'no servers are listed for the proxy if the playground settings are %j',
  (playground) => {
    const origins = originsWith(playground)
    expect(origins?.servers).toEqual([])
    expect(origins?.connections).toContain('https://api.example.com')
  },
)

// Requirement Y1: readers fill in server variables, so the page's policy must allow the resulting
// hosts.
test.each([
  ['https://{tenant}.example.com/v1', ['https://*.example.com']],
  ['http://{host}.localhost:43201/v1', ['http://*.localhost:43201']],
  ['https://api-{tenant}.example.com', ['https://*.example.com']],
  ['https://{host}.{tenant}.example.com', ['https://*.example.com']],
  ['wss://{tenant}.Example.com', ['wss://*.example.com']],
  ['https://api.example.com:{port}/v1', ['https://api.example.com:*']],
  [
    'https://{tenant}.{region}.example.com',
    ['https://*.eu.example.com', 'https://*.us.example.com'],
  ],
  ['{scheme}://{tenant}.example.com', ['https://*.example.com', 'http://*.example.com']],
  ['https://{host}', ['https:']],
  ['https://{host}:{port}', ['https:']],
  ['https://api.{host}/v1', ['https:']],
  ['https://{tenant}.example.com;script-src', ['https:']],
  ['https://api.example.com/{tenant}', []],
  ['https://{region}.example.com', []],
  ['/{tenant}', []],
])('the policy allows these sources for the server %s: %j', (url, sources) => {
  const names = ['tenant', 'host', 'port'].map((name) => ({ name, default: 'api' }))
  const region = { name: 'region', default: 'eu', values: ['eu', 'us'] }
  const scheme = { name: 'scheme', default: 'https', values: ['https', 'http'] }
  expect(hostSources({ url, variables: [...names, region, scheme] })).toEqual(sources)
})
