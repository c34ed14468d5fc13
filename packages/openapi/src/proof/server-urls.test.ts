import { describe, expect, test } from 'vitest'
import { ServerUrls } from './server-urls.ts'

const ORIGIN = 'http://127.0.0.1:4000'
const replace = (url: string, source: string, values: readonly string[] = []) => {
  const [first = '', ...others] = values
  const variables = [{ name: 'host', default: first, values: others }]
  return new ServerUrls([{ url, variables }]).replace(source, ORIGIN)
}

describe('the server in the code of a sample', () => {
  test.each([
    ['https://api.example.com/v1', 'curl https://api.example.com/v1/plants'],
    ['https://api.example.com/v1/', "fetch('https://api.example.com/v1/plants')"],
    ['https://api.example.com', 'curl https://api.example.com.'],
    ['https://{host}.example.com', 'curl https://acme.example.com/plants'],
    ['https://{host}.example.com', 'curl https://{host}.example.com/plants'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code of the author
    ['https://{host}.example.com', 'curl "https://${HOST}.example.com/plants"'],
    ['https://{host}.example.com', 'curl https://<your-company>.example.com/plants'],
  ])('is found for %s in: %s', (url, source) => {
    expect(replace(url, source)).toContain(ORIGIN)
  })

  test.each([
    ['https://api.example.com', 'curl https://api.example.com.evil.example/plants'],
    ['https://api.example.com', 'curl https://api.example.com:8080/plants'],
    ['https://api.example.com', 'curl https://api.example/plants'],
    ['https://{host}', 'curl https://github.com/plants'],
    ['/v1', 'curl https://api.example.com/v1/plants'],
  ])('is not found for %s in: %s', (url, source) => {
    expect(replace(url, source)).toBeUndefined()
  })

  test('may be any documented value of a variable', () => {
    const values = ['eu.example.com', 'us.example.com']
    expect(replace('https://{host}', 'curl https://us.example.com/plants', values)).toBe(
      `curl ${ORIGIN}/plants`,
    )
    expect(replace('https://{host}', 'curl https://github.com/', values)).toBeUndefined()
  })
})

describe('a path below the path of a server', () => {
  const servers = new ServerUrls([
    { url: 'https://api.example.com/v1' },
    { url: 'https://api.example.com/{version}/beta' },
  ])
  test.each([
    ['/v1/plants?limit=2', '/plants?limit=2'],
    ['/v1', '/'],
    ['/v1/v1/plants', '/v1/plants'],
    ['/2026/beta/plants', '/plants'],
  ])('of %s is %s', (target, below) => {
    expect(servers.below(target)).toBe(below)
  })

  test.each(['/plants', '/v10/plants', '/V1/plants'])('does not exist for %s', (target) => {
    expect(servers.below(target)).toBeUndefined()
  })
})
