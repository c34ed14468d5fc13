/**
 * `octavo-service demo`: runs the whole product on this machine until Ctrl-C, without
 * configuration. Not for production.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { withTimeout } from '../../../platform/with-timeout.ts'
import { UsageError } from '../arguments.ts'
import { createDemoFolder, removeDeadDemos, removeDemoFolder } from './demo-folder.ts'
import { openBrowser } from './open-browser.ts'
import type { StartedPart } from './start-database.ts'
import { type RunningDemo, startDemo } from './start-demo.ts'

export type RunDemoDeps = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (line: string) => void
  /** Prints progress and error messages to standard error. */
  readonly complain: (line: string) => void
}

const STOP_MS_MAX = 15_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a demo until it is stopped, deletes its folder, and returns the exit code. */
export async function runDemo(args: readonly string[], deps: RunDemoDeps): Promise<number> {
  const { port, isJson, mayOpen } = readOptions(args)
  const { environment, print, complain } = deps
  if (process.platform === 'win32')
    throw new Error('The demo runs on Linux and macOS. On Windows, use WSL.')
  const announce = isJson ? complain : print
  await removeDeadDemos()
  const folder = createDemoFolder()
  const stopping = new AbortController()
  const stopped = Promise.withResolvers<void>()
  const parts: StartedPart[] = []

  function onSignal(): void {
    // Ctrl-C was pressed twice: exit without waiting.
    if (stopping.signal.aborted) {
      for (const part of parts) part.kill()
      removeDemoFolder(folder)
      process.exit(1)
    }
    stopping.abort()
    stopped.resolve()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    if (!isJson) print('Starting a demo. It is for trying out Octavo. Do not use it in production.')
    const demo = await startDemo({
      port,
      folder,
      environment,
      announce,
      onStarted: (part) => parts.push(part),
      signal: stopping.signal,
    })
    if (isJson) print(JSON.stringify(demo))
    else await introduce(demo, { folder, mayOpen, deps })
    await stopped.promise
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  } finally {
    for (const part of parts.toReversed())
      await withTimeout(part.stop(), STOP_MS_MAX).catch(() => part.kill())
    removeDemoFolder(folder)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  if (!isJson) print('Stopped. Everything was deleted.')
  return 0
}

type DemoArguments = {
  readonly port: number | undefined
  readonly isJson: boolean
  readonly mayOpen: boolean
}

function readOptions(args: readonly string[]): DemoArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      'no-open': { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  const { port = '', json: isJson = false } = values
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0
  if (values.port !== undefined && (number < 1 || number > 65_535))
    throw new UsageError('Invalid --port: expected a number from 1 to 65535.')
  return {
    port: values.port === undefined ? undefined : number,
    isJson,
    mayOpen: !isJson && values['no-open'] !== true,
  }
}

type Introduction = {
  readonly folder: string
  readonly mayOpen: boolean
  readonly deps: RunDemoDeps
}

async function introduce(
  { url, signInUrl, siteUrl }: RunningDemo,
  { folder, mayOpen, deps: { environment, print } }: Introduction,
): Promise<void> {
  const isOpen =
    mayOpen && (await openBrowser(signInUrl, { platform: process.platform, environment }))
  print('')
  print(`  Sign in     ${signInUrl}`)
  print(`              ${isOpen ? 'opens in your browser; ' : ''}works once, within an hour`)
  print(`  Dashboard   ${url}`)
  print(`  Site        ${siteUrl}`)
  print(`  Data        ${folder}`)
  print('')
  print('Ctrl-C stops it and deletes everything.')
}
