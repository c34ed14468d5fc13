/**
 * Tests `octavo mcp` as an agent starts it: as a process, with the official client in both protocol
 * versions.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../run.ts'

const MAIN = join(import.meta.dirname, '../main.ts')

let cwd = ''
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'octavo-cli-mcp-'))
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text)
  write('docs.json', '{"name": "Garden", "navigation": {"pages": ["water", "secret"]}}')
  write('water.mdx', '---\ntitle: Water\n---\nOpen the valve.\n')
  write('secret.mdx', '---\ntitle: Secret\ngroups: [staff]\n---\nBelow the oak.\n')
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

describe('octavo mcp', () => {
  test.each([['legacy' as const], [{ pin: '2026-07-28' }]])(
    'octavo mcp serves the tools of hosted sites to a client with the version negotiation mode %j',
    async (mode) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', cwd] }),
      )
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(5)
      const found = await client.callTool({ name: 'search_docs', arguments: { query: 'valve' } })
      expect(JSON.stringify(found)).toContain('/water')
      const secret = await client.callTool({ name: 'grep_docs', arguments: { text: 'oak' } })
      expect(JSON.stringify(secret)).toContain('No section contains this text.')
      const { contents } = await client.readResource({ uri: 'docs:///water.md' })
      expect(contents).toMatchObject([{ text: expect.stringContaining('Open the valve.') }])
      await client.close()
    },
  )

  test('octavo mcp responds to piped requests even if its input ends first', () => {
    const clientInfo = { name: 'test', version: '1' }
    const begin = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    const search = { name: 'search_docs', arguments: { query: 'valve' } }
    const messages = [
      { id: 1, method: 'initialize', params: begin },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: search },
      { id: 3, method: 'tools/list' },
    ]
    const input = messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('')
    const { stdout, status } = spawnSync(process.execPath, [MAIN, 'mcp', cwd], {
      input,
      encoding: 'utf8',
    })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3])
    expect(stdout).toContain('/water')
    expect(status).toBe(0)
  })

  test.each([
    [['mcp', 'nowhere'], 'the folder "nowhere" does not exist'],
    [['mcp', '.', 'b'], 'Unexpected argument "b"'],
    [['mcp', '--vectors', 'off'], '--vectors is not an option of mcp'],
    [['agents-md', 'nowhere'], 'the folder "nowhere" does not exist'],
    [['agents-md', '--url', 'x'], 'Invalid --url'],
  ])(
    'the arguments %j of `octavo mcp` and `octavo agents-md` are rejected with a reason',
    async (args, reason) => {
      let err = ''
      const code = await run({
        args,
        cwd,
        env: { NO_COLOR: '1', FORCE_COLOR: undefined },
        clock: { now: () => 0, sleep: () => Promise.resolve() },
        out: { write: () => {} },
        err: { write: (text) => (err += text) },
      })
      expect([code, err]).toEqual([2, expect.stringContaining(reason)])
    },
  )
})

test('octavo agents-md prints the public pages', async () => {
  let out = ''
  const code = await run({
    args: ['agents-md', '.', '--url', 'https://garden.example.com'],
    cwd,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    out: { write: (text) => (out += text) },
    err: { write: () => {} },
  })
  expect(code).toBe(0)
  expect(out).toContain('`https://garden.example.com<path>.md`')
  expect(out).toContain('- /: water (Water)')
  expect(out).not.toContain('secret')
})
