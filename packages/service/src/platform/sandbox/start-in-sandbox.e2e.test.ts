import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { detectIsolation, PLAIN_ISOLATION } from './isolation.ts'
import { type SandboxOptions, startInSandbox } from './start-in-sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-sandbox-'))
const given = join(folder, 'given')
const output = join(folder, 'output')
const secret = join(folder, 'secret')
mkdirSync(given)
mkdirSync(output)
writeFileSync(join(given, 'page.mdx'), 'Hello')
writeFileSync(secret, 'canary')
const server = createServer((socket) => socket.destroy())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as { port: number }
const bubblewrap = await detectIsolation()
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

async function run(script: string, options: Partial<SandboxOptions> = {}) {
  const { child, ended } = startInSandbox({
    isolation: bubblewrap,
    command: process.execPath,
    args: ['-e', script],
    readable: [process.execPath, given],
    writable: [output],
    folder: given,
    environment: {},
    network: 'none',
    limits: { memoryMb: 500, seconds: 20 },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const texts = await Promise.all(
    [child.stdout, child.stderr].map(async (stream) => {
      let text = ''
      for await (const piece of stream ?? []) text += piece
      return text
    }),
  )
  return { stdout: texts[0], stderr: texts[1], ...(await ended) }
}

const PROBE = (action: string) =>
  `try { ${action}; console.log('done') } catch (error) { console.log(error.code) }`

test('this machine has bubblewrap', () => {
  expect(bubblewrap.description).toBe('bubblewrap')
})

describe.each([
  ['bubblewrap', bubblewrap],
  ['plain processes', PLAIN_ISOLATION],
])('a program in %s', (_, isolation) => {
  test('reads what it was given, and writes its output', async () => {
    const script = `
      const fs = require('node:fs')
      fs.writeFileSync(${JSON.stringify(join(output, 'a'))}, fs.readFileSync('page.mdx') + '!')
      process.exit(7)`
    expect(await run(script, { isolation })).toMatchObject({ code: 7, killedFor: undefined })
    expect(readFileSync(join(output, 'a'), 'utf8')).toBe('Hello!')
  })

  test('has the environment that it was given and none of ours', async () => {
    const environment = { NAME: 'value' }
    const script = 'console.log(JSON.stringify(process.env))'
    const { stdout = '' } = await run(script, { isolation, environment })
    const { PATH, PWD, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual(environment)
  })

  test('is ended with all that it started when its time is over', async () => {
    const script = `
      require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' })
      setInterval(() => {}, 1000)`
    const started = Date.now()
    const end = await run(script, { isolation, limits: { memoryMb: 500, seconds: 1 } })
    expect(end).toMatchObject({ code: 137, killedFor: 'seconds' })
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  test('is ended when it uses too much memory', async () => {
    const script = `
      const all = []
      setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 50)`
    const end = await run(script, { isolation, limits: { memoryMb: 200, seconds: 20 } })
    expect(end.killedFor).toBe('memory')
    expect(end.memoryMb).toBeGreaterThan(200)
  })

  test('gets no memory far above its limit, however fast it asks', async () => {
    const script = 'const all = []; for (;;) all.push(Buffer.alloc(100_000_000, 1))'
    const end = await run(script, { isolation, limits: { memoryMb: 200, seconds: 20 } })
    expect(end.code).toBeGreaterThan(127)
    expect(end.killedFor).not.toBe('seconds')
    expect(end.memoryMb).toBeLessThan(1_200)
  })

  test('writes no file above its limit', async () => {
    const path = JSON.stringify(join(output, 'large'))
    const script = PROBE(`require('node:fs').writeFileSync(${path}, Buffer.alloc(3_000_000))`)
    const limits = { memoryMb: 500, seconds: 20, fileMb: 2 }
    expect((await run(script, { isolation, limits })).stdout).not.toContain('done')
  })

  test('is ended by its caller', async () => {
    const abort = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { isolation, signal: abort.signal })
    abort.abort()
    expect(await running).toMatchObject({ killedFor: 'signal' })
  })

  test('talks over a channel of Node', async () => {
    const { child, ended } = startInSandbox({
      isolation,
      command: process.execPath,
      args: [
        '-e',
        'process.on("message", (text) => { process.send(text + "!"); process.disconnect() })',
      ],
      readable: [process.execPath],
      writable: [],
      folder: '/',
      environment: {},
      network: 'none',
      limits: { memoryMb: 500, seconds: 20 },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const message = new Promise((resolve) => child.once('message', resolve))
    child.send('hello')
    expect(await message).toBe('hello!')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('that does not exist is a code', async () => {
    const end = await run('', { isolation, command: '/nowhere/program' })
    expect(end.code).not.toBe(0)
  })
})

describe('bubblewrap keeps a program from', () => {
  const connect = (target: string) => `
    require('node:net').connect(${target})
      .on('connect', () => { console.log('connected'); process.exit() })
      .on('error', (error) => console.log(error.code))`

  test.each([
    ['reading other files', `require('node:fs').readFileSync(${JSON.stringify(secret)})`],
    ['listing the folder of its folder', `require('node:fs').readFileSync('../secret')`],
    ['writing what it may read', `require('node:fs').writeFileSync('page.mdx', 'x')`],
    ['writing into the system', `require('node:fs').writeFileSync('/usr/bin/x', 'x')`],
    ['writing into the root', `require('node:fs').writeFileSync('/x', 'x')`],
    ['files in memory', `require('node:fs').writeFileSync('/dev/shm/x', 'x')`],
    ['passwords', `require('node:fs').readFileSync('/etc/shadow')`],
    ['private keys of the machine', `require('node:fs').readdirSync('/etc/ssl/private')`],
    ['processes of others', `process.kill(${process.pid}, 0)`],
    [
      'the environment of others',
      `require('node:fs').readFileSync('/proc/${process.pid}/environ')`,
    ],
  ])('%s', async (_, action) => {
    expect((await run(PROBE(action))).stdout).toMatch(/^(?:ENOENT|EROFS|EACCES|ESRCH)\n$/)
  })

  test('the network, and servers of this machine', async () => {
    expect((await run(connect(`${port}, '127.0.0.1'`))).stdout).toBe('ECONNREFUSED\n')
    expect((await run(connect(`80, '169.254.169.254'`))).stdout).toBe('ENETUNREACH\n')
  })

  test('sockets of this machine', async () => {
    const path = join(folder, 'database.sock')
    const database = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => database.listen(path, resolve))
    expect((await run(connect(JSON.stringify(path)))).stdout).toBe('ENOENT\n')
    database.close()
  })

  test('gaining rights', async () => {
    const script = `console.log(require('node:fs').readFileSync('/proc/self/status', 'utf8'))`
    const { stdout } = await run(script)
    expect(stdout).toMatch(/^CapEff:\s*0+$/m)
    expect(stdout).toMatch(/^NoNewPrivs:\s*1$/m)
  })
})
