import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { agentName, audienceOf as audienceBy, createUserAgents } from './audience.ts'
import { isCounted, referrerOf } from './event-recorder.ts'

const requestOf = (headers: Record<string, string>, url = '/water', method = 'GET') =>
  ({ method, url, headers }) as unknown as IncomingMessage

const userAgents = createUserAgents()
const audienceOf = (request: IncomingMessage) =>
  audienceBy(request, userAgents(request.headers['user-agent'] ?? ''))
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test.each([
  ['people', FIREFOX, HTML],
  ['people', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1', HTML],
  ['agents', 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)', HTML],
  ['agents', 'Claude-User/1.0', '*/*'],
  ['agents', 'Perplexity-User/1.0', HTML],
  ['agents', 'axios/1.8.4', 'text/markdown, text/html;q=0.9'],
  ['agents', FIREFOX, 'text/markdown'],
  ['bots', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', HTML],
  ['bots', 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', HTML],
  ['bots', 'Mozilla/5.0 (compatible; ClaudeBot/1.0)', HTML],
  ['bots', 'facebookexternalhit/1.1', '*/*'],
  ['bots', 'Mozilla/5.0 HeadlessChrome/140.0', HTML],
  ['bots', 'curl/8.5.0', '*/*'],
  ['bots', '', '*/*'],
])('a request is counted as %s for the user agent %s', (audience, userAgent, accept) => {
  expect(audienceOf(requestOf({ 'user-agent': userAgent, accept }))).toBe(audience)
})

test.each([
  ['Claude Code', 'Claude-User (claude-code/2.1; +https://support.anthropic.com/)'],
  ['Claude', 'Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)'],
  ['Cursor', 'Mozilla/5.0 (X11; Linux x86_64) Cursor/1.7.4 Chrome/138.0 Electron/37.3'],
  ['MCP', 'ModelContextProtocol/1.0 (User-Specified)'],
  ['Other', 'axios/1.8.4'],
])('the agent is named %s for the user agent %s', (name, userAgent) => {
  expect(agentName(userAgents(userAgent))).toBe(name)
})

test('a program that requests Markdown or llms.txt is counted as an agent', () => {
  for (const path of ['/water.md', '/llms.txt?x'])
    expect(audienceOf(requestOf({ 'user-agent': 'node', accept: '*/*' }, path))).toBe('agents')
  const reader = { 'user-agent': FIREFOX, accept: HTML, 'sec-fetch-mode': 'navigate' }
  expect(audienceOf(requestOf(reader, '/water.md'))).toBe('people')
})

test.each([
  [true, {}],
  [false, { dnt: '1' }],
  [true, { dnt: '0' }],
  [false, { 'sec-gpc': '1' }],
  [false, { 'sec-purpose': 'prefetch;prerender' }],
  [false, { purpose: 'prefetch' }],
  [false, { 'x-moz': 'prefetch' }],
])('isCounted returns %s for a request with the headers %o', (expected, headers) => {
  expect(isCounted(requestOf(headers as Record<string, string>))).toBe(expected)
  expect(isCounted(requestOf(headers as Record<string, string>, '/', 'HEAD'))).toBe(false)
})

test.each([
  ['https://News.Example:8443/item?id=7', 'news.example'],
  ['http://docs.example.com/other', undefined],
  ['https://user:word@news.example/', undefined],
  ['https://<script>/', undefined],
  ['android-app://com.example/', undefined],
  ['', undefined],
])('the referrer %s is counted as %s', (referer, host) => {
  expect(referrerOf(requestOf({ referer, host: 'docs.example.com' }))).toBe(host)
})
