/**
 * Sets traps for code of authors. This module is preloaded with `node --import` in this process and
 * all its child processes. It writes a line to a log whenever code is created from text, a module
 * is loaded from outside this repository, a process other than our page worker is started, or a
 * connection is opened.
 *
 * OCTAVO_TRAP_LOG is the path of the log, and OCTAVO_TRAP_FOLDER is the folder of the author.
 */
import childProcess from 'node:child_process'
import { appendFileSync } from 'node:fs'
import module from 'node:module'
import net from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import workerThreads from 'node:worker_threads'

type Callable = (...args: unknown[]) => unknown
type Members = Record<string, unknown>

const REPOSITORY = join(import.meta.dirname, '../../..')
const WORKER = join(import.meta.dirname, '../src/compile/page-worker.ts')
const { OCTAVO_TRAP_LOG: log = '', OCTAVO_TRAP_FOLDER: authors = '' } = process.env
const FLAGS = ['--disallow-code-generation-from-strings', '--import', import.meta.filename]

function report(what: string): void {
  const stack = new Error(what).stack?.split('\n').slice(2, 8).join(' < ').replaceAll(/\s+/g, ' ')
  appendFileSync(log, `${process.pid} ${what} ${stack}\n`)
}

function trapMembers(target: Members, names: readonly string[], prefix: string): void {
  for (const name of names) {
    const original = target[name]
    if (typeof original !== 'function') continue
    target[name] = trapFunction(original as Callable, `${prefix}.${name}`)
  }
}

/** The island compiler is allowed, because it transforms code without running it. */
function isOurOwn(command: unknown): boolean {
  const compiler = /^@esbuild\/[\w-]+\/bin\/esbuild$/
  const folder = join(REPOSITORY, 'node_modules/')
  return (
    typeof command === 'string' &&
    command.startsWith(folder) &&
    compiler.test(command.slice(folder.length))
  )
}

function trapFunction(original: Callable, name: string): Callable {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      if (!isOurOwn(args[0])) report(`${name}(${String(args[0]).slice(0, 80)})`)
      return Reflect.apply(target, self, args)
    },
    construct(target, args: unknown[]) {
      report(`new ${name}(${String(args[0]).slice(0, 80)})`)
      return Reflect.construct(target, args)
    },
  })
}

const kinds = [
  (() => {}).constructor,
  (async () => {}).constructor,
  function* () {}.constructor,
  async function* () {}.constructor,
]
for (const original of kinds as Callable[]) {
  const trapped = trapFunction(original, original.name)
  // `(() => {}).constructor` must be the trap, and not the original constructor.
  Object.defineProperty(original.prototype, 'constructor', {
    value: trapped,
    configurable: true,
    writable: true,
  })
  if (original === Function) globalThis.Function = trapped as FunctionConstructor
}
// biome-ignore lint/security/noGlobalEval: to detect calls of it.
globalThis.eval = trapFunction(globalThis.eval as Callable, 'eval') as typeof globalThis.eval

trapMembers(vm as unknown as Members, Object.keys(vm), 'vm')
trapMembers(workerThreads as unknown as Members, ['Worker'], 'worker_threads')
trapMembers(globalThis as unknown as Members, ['fetch', 'WebSocket', 'EventSource'], 'globalThis')
trapMembers(net.Socket.prototype as unknown as Members, ['connect'], 'net.Socket')

const { fork } = childProcess
const STARTERS = ['exec', 'execFile', 'spawn', 'execSync', 'execFileSync', 'spawnSync']
trapMembers(childProcess as unknown as Members, STARTERS, 'child_process')
type ForkOptions = { execArgv?: readonly string[]; env?: NodeJS.ProcessEnv }
const ownFork = (script: string | URL, options: ForkOptions) => {
  const path = script instanceof URL ? fileURLToPath(script) : script
  if (path !== WORKER) report(`child_process.fork(${path})`)
  return (fork as Callable)(script, {
    ...options,
    execArgv: [...FLAGS, ...(options.execArgv ?? [])],
    env: { ...options.env, OCTAVO_TRAP_LOG: log, OCTAVO_TRAP_FOLDER: authors },
  })
}
;(childProcess as unknown as Members).fork = ownFork
module.syncBuiltinESMExports()

module.registerHooks({
  resolve(specifier, context, next) {
    try {
      const resolved = next(specifier, context)
      if (!isOurs(resolved.url)) report(`import(${resolved.url})`)
      return resolved
    } catch (error) {
      // Some packages check which of their own files exist, which is allowed.
      const isPackage = context.parentURL?.includes('/node_modules/') === true
      if (!isPackage) report(`import(${specifier})`)
      throw error
    }
  },
})

function isOurs(url: string): boolean {
  if (url.startsWith('node:')) return true
  if (!url.startsWith('file:')) return false
  const path = fileURLToPath(url)
  if (authors !== '' && path.startsWith(authors)) return false
  return path.startsWith(REPOSITORY)
}
