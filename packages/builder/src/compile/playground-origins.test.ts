import { expect, test } from 'vitest'
import { manualPage } from './manual-page.ts'

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

test('a manifest names the servers that a host may send requests to', () => {
  const origins = originsWith({})
  expect(origins?.servers).toEqual(['http://localhost:8080', 'https://api.example.com'])
  expect(originsWith({ proxy: true })).toEqual(origins)
})

test.each([{ proxy: false }, { credentials: true }])('none with %j', (playground) => {
  const origins = originsWith(playground)
  expect(origins?.servers).toEqual([])
  expect(origins?.connections).toContain('https://api.example.com')
})
