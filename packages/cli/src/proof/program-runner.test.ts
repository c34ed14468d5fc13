import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ProgramRunner } from './program-runner.ts'

const cwd = mkdtempSync(join(tmpdir(), 'octavo-programs-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const sh = (script: string, timeMsMax = 20_000, runner = new ProgramRunner()) =>
  runner.run({
    command: 'sh',
    args: ['-c', script],
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    timeMsMax,
  })

/** Checks whether a process still runs; a zombie has ended. */
function isAlive(pid: string): boolean {
  const status = `/proc/${pid.trim()}/status`
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'))
}

test('a program returns its exit code and what it printed', async () => {
  expect(await sh('echo out; echo err >&2; exit 3')).toEqual({
    code: 3,
    failure: 'has the exit code 3',
    output: expect.stringMatching(/^(?:out\nerr|err\nout)$/),
  })
  expect(await sh('true')).toEqual({ code: 0, failure: undefined, output: '' })
})

test('a program has no variables of the caller, and no input', async () => {
  expect((await sh('echo "$HOME$USER"; cat')).output).toBe('')
})

test('a program that takes too long is ended', async () => {
  expect((await sh('sleep 60 & wait', 200)).failure).toBe('has not ended after 0.2 seconds')
})

test('a program that prints too much is ended', async () => {
  expect((await sh('yes')).failure).toBe('has printed more than 1 MB')
})

test('programs in the background end with the program that started them', async () => {
  const { output } = await sh('sleep 60 >/dev/null 2>&1 & echo $!')
  await expect.poll(() => isAlive(output)).toBe(false)
})

test('a program that does not exist fails', async () => {
  const runner = new ProgramRunner()
  const missing = { command: '/no/such/program', args: [], cwd, env: {}, timeMsMax: 1_000 }
  expect((await runner.run(missing)).failure).toContain('cannot be started')
})

test('a stopped runner ends its programs, and starts no others', async () => {
  const runner = new ProgramRunner()
  const running = sh('sleep 60', 20_000, runner)
  runner.stop()
  expect((await running).failure).toBe('was ended')
  expect((await sh('true', 20_000, runner)).failure).toBe('was not started')
})
