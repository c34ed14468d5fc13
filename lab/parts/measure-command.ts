/** Runs a command and measures its cost, including all child processes. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export type Cost = {
  readonly seconds: number
  /** The user and system time of the whole process tree. */
  readonly cpuSeconds: number
  /** The peak memory of the largest process. */
  readonly peakMb: number
  /** The peak memory of all processes together, from samples. */
  readonly sumMb: number
  readonly exitCode: number
  readonly output: string
}

export type Command = {
  readonly command: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly timeoutMs?: number
}

const LOOK_EVERY_MS = 20

/**
 * Runs a command and measures its cost. This works only on Linux, since memory is read from /proc.
 */
export function measureCommand({ command, cwd, env, timeoutMs }: Command): Promise<Cost> {
  const started = performance.now()
  // The shell's `time` includes all awaited descendants, while Node only reports the time of its
  // own process.
  const script = 'TIMEFORMAT=$\'\\n%U %S\'; time "$@" 2>&1'
  const child = spawn('bash', ['-c', script, 'bash', ...command], {
    cwd,
    env,
    timeout: timeoutMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (texts.err += text))
  const peak = { mb: 0, sum: 0 }
  const timer = setInterval(() => {
    const sizes = descendants(child.pid ?? 0).map(memoryOf)
    peak.mb = Math.max(peak.mb, ...sizes.map((size) => size.peak))
    peak.sum = Math.max(
      peak.sum,
      sizes.reduce((sum, size) => sum + size.now, 0),
    )
  }, LOOK_EVERY_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(timer)
      const [user = Number.NaN, system = Number.NaN] = (texts.err.trim().split('\n').at(-1) ?? '')
        .split(' ')
        .map(Number)
      resolve({
        seconds: (performance.now() - started) / 1_000,
        cpuSeconds: user + system,
        peakMb: peak.mb,
        sumMb: peak.sum,
        exitCode: code ?? -1,
        output: texts.out,
      })
    })
  })
}

/** Returns the ids of a process's descendants. */
function descendants(root: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(/\) \S (\d+)/.exec(readProc(`${name}/stat`))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found: number[] = []
  const queue = [root]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const below = children.get(id) ?? []
    found.push(...below)
    queue.push(...below)
  }
  return found
}

function memoryOf(id: number): { readonly peak: number; readonly now: number } {
  const status = readProc(`${id}/status`)
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { peak: read('VmHWM'), now: read('VmRSS') }
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    // The process has ended in the meantime.
    return ''
  }
}
