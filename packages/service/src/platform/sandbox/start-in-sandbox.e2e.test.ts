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

test('bubblewrap is available on this machine', () => {
  expect(bubblewrap.description).toBe('bubblewrap')
})

describe.each([
  ['bubblewrap', bubblewrap],
  ['plain processes', PLAIN_ISOLATION],
])('a program in %s', (_, isolation) => {
  test('a program can read the given files and write its output', async () => {
    const script = `
      const fs = require('node:fs')
      fs.writeFileSync(${JSON.stringify(join(output, 'a'))}, fs.readFileSync('page.mdx') + '!')
      process.exit(7)`
    expect(await run(script, { isolation })).toMatchObject({ code: 7, killedFor: undefined })
    expect(readFileSync(join(output, 'a'), 'utf8')).toBe('Hello!')
  })

  test("a program has only the given environment variables, not the service's", async () => {
    const environment = { NAME: 'value' }
    const script = 'console.log(JSON.stringify(process.env))'
    const { stdout = '' } = await run(script, { isolation, environment })
    const { PATH, PWD, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual(environment)
  })

  test('a program and its child processes are killed after its time limit', async () => {
    const script = `
      require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' })
      setInterval(() => {}, 1000)`
    const started = Date.now()
    const end = await run(script, { isolation, limits: { memoryMb: 500, seconds: 1 } })
    expect(end).toMatchObject({ code: 137, killedFor: 'seconds' })
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  test('a program is killed if it uses too much memory', async () => {
    const script = `
      const all = []
      setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 50)`
    const end = await run(script, { isolation, limits: { memoryMb: 200, seconds: 20 } })
    expect(end.killedFor).toBe('memory')
    expect(end.memoryMb).toBeGreaterThan(200)
  })

  test('a program that allocates memory very fast cannot get far above its memory limit', async () => {
    const script = 'const all = []; for (;;) all.push(Buffer.alloc(100_000_000, 1))'
    const end = await run(script, { isolation, limits: { memoryMb: 200, seconds: 20 } })
    // It is killed, or on a busy machine its next allocation fails first.
    expect(end.code).not.toBe(0)
    expect(end.killedFor).not.toBe('seconds')
    expect(end.memoryMb).toBeLessThan(1_200)
  })

  test('a program cannot write a file above its size limit', async () => {
    const path = JSON.stringify(join(output, 'large'))
    const script = PROBE(`require('node:fs').writeFileSync(${path}, Buffer.alloc(3_000_000))`)
    const limits = { memoryMb: 500, seconds: 20, fileMb: 2 }
    expect((await run(script, { isolation, limits })).stdout).not.toContain('done')
  })

  test('a program is killed when its caller aborts the signal', async () => {
    const abort = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { isolation, signal: abort.signal })
    abort.abort()
    expect(await running).toMatchObject({ killedFor: 'signal' })
  })

  test('a program can use the IPC channel of Node', async () => {
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

  test('starting a program that does not exist returns an error code', async () => {
    const end = await run('', { isolation, command: '/nowhere/program' })
    expect(end.code).not.toBe(0)
  })
})

describe('the bubblewrap sandbox', () => {
  const connect = (target: string) => `
    require('node:net').connect(${target})
      .on('connect', () => { console.log('connected'); process.exit() })
      .on('error', (error) => console.log(error.code))`

  test.each([
    ['reading other files', `require('node:fs').readFileSync(${JSON.stringify(secret)})`],
    ['reading from the parent folder', `require('node:fs').readFileSync('../secret')`],
    ['writing to readable files', `require('node:fs').writeFileSync('page.mdx', 'x')`],
    ['writing to system folders', `require('node:fs').writeFileSync('/usr/bin/x', 'x')`],
    ['writing to the root folder', `require('node:fs').writeFileSync('/x', 'x')`],
    ['writing files in memory', `require('node:fs').writeFileSync('/dev/shm/x', 'x')`],
    ['reading passwords', `require('node:fs').readFileSync('/etc/shadow')`],
    ['reading private keys of the machine', `require('node:fs').readdirSync('/etc/ssl/private')`],
    ['signaling other processes', `process.kill(${process.pid}, 0)`],
    [
      'reading the environment of other processes',
      `require('node:fs').readFileSync('/proc/${process.pid}/environ')`,
    ],
  ])('a program in bubblewrap is prevented from %s', async (_, action) => {
    expect((await run(PROBE(action))).stdout).toMatch(/^(?:ENOENT|EROFS|EACCES|ESRCH)\n$/)
  })

  test('a program in bubblewrap cannot reach the network or local servers', async () => {
    expect((await run(connect(`${port}, '127.0.0.1'`))).stdout).toBe('ECONNREFUSED\n')
    expect((await run(connect(`80, '169.254.169.254'`))).stdout).toBe('ENETUNREACH\n')
  })

  test('a program in bubblewrap cannot reach local Unix sockets', async () => {
    const path = join(folder, 'database.sock')
    const database = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => database.listen(path, resolve))
    expect((await run(connect(JSON.stringify(path)))).stdout).toBe('ENOENT\n')
    database.close()
  })

  test('a program in bubblewrap cannot gain privileges', async () => {
    const script = `console.log(require('node:fs').readFileSync('/proc/self/status', 'utf8'))`
    const { stdout } = await run(script)
    expect(stdout).toMatch(/^CapEff:\s*0+$/m)
    expect(stdout).toMatch(/^NoNewPrivs:\s*1$/m)
  })
})
