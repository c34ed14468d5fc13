/** Runs samples against recorders, several at a time, and decides which ones are right. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JudgedSample, judgeSample, type SampleProblem } from '@octavo/openapi'
import type { Ended, ProgramRunner } from './program-runner.ts'
import { Recorder } from './recorder.ts'
import { FILE_CONTENT, type Runtime } from './runtimes.ts'

/** A sample that can run here. */
export type RunnableSample = JudgedSample & { readonly runtime: Runtime; readonly source: string }

export type SampleRun = {
  /** Empty if the sample ran and has sent the documented request. */
  readonly problems: readonly SampleProblem[]
  /** What a failed program printed last. */
  readonly output: string
}

export type RunOptions<Sample> = {
  readonly runner: ProgramRunner
  readonly path: string
  /** Variables that the caller has set for samples. */
  readonly env: Readonly<Record<string, string>>
  readonly onRun: (sample: Sample, run: SampleRun) => void
}

const SAMPLE_MS_MAX = 30_000
/** Generated samples that share a process. */
const BATCH_SIZE = 25

export async function runSamples<Sample extends RunnableSample>(
  samples: readonly Sample[],
  options: RunOptions<Sample>,
): Promise<void> {
  const jobs = [...Map.groupBy(samples, ({ runtime }) => runtime).values()].flatMap((same) => {
    // Code of authors never shares a process.
    const isBatched = ({ request, runtime }: Sample) =>
      request !== undefined && runtime.batch !== undefined
    const single = same.filter((sample) => !isBatched(sample)).map((sample) => [sample])
    return [...chunks(same.filter(isBatched), BATCH_SIZE), ...single]
  })
  const worker = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await runJob(job, options)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

async function runJob<Sample extends RunnableSample>(
  job: readonly Sample[],
  options: RunOptions<Sample>,
): Promise<void> {
  const right = job.length > 1 ? await runTogether(job, options) : new Set<Sample>()
  for (const sample of job) {
    // A sample that is not right in a shared process may have been disturbed by another one.
    const run = right.has(sample) ? { problems: [], output: '' } : await runAlone(sample, options)
    if (options.runner.isStopped) return
    options.onRun(sample, run)
  }
}

async function runTogether<Sample extends RunnableSample>(
  job: readonly Sample[],
  options: RunOptions<Sample>,
): Promise<ReadonlySet<Sample>> {
  const bench = await Bench.open(job)
  try {
    await bench.run(options)
    const right = job.filter(
      (sample, at) => bench.hasSucceeded(at) && bench.judge(sample, at).length === 0,
    )
    return new Set(right)
  } finally {
    bench.remove()
  }
}

async function runAlone<Sample extends RunnableSample>(
  sample: Sample,
  options: RunOptions<Sample>,
): Promise<SampleRun> {
  const bench = await Bench.open([sample])
  try {
    const { failure, output } = await bench.run(options)
    const found = bench.judge(sample, 0)
    if (failure === undefined) return { problems: found, output: '' }
    const problem = {
      place: 'program',
      reason: `The program ${failure}.`,
      hint: 'Run the sample, and correct what its output reports.',
    }
    // A program that failed early has sent no request, which is no other problem.
    return { problems: [problem, ...found.filter(() => bench.requestCount(0) > 0)], output }
  } finally {
    bench.remove()
  }
}

/** A temporary folder with some samples, and a recorder for each of them. */
class Bench {
  readonly #folder: string
  readonly #files: readonly string[]
  readonly #recorders: readonly Recorder[]
  readonly #runtime: Runtime

  private constructor(samples: readonly RunnableSample[], recorders: readonly Recorder[]) {
    const [first] = samples
    if (first === undefined) throw new Error('a bench needs a sample')
    this.#runtime = first.runtime
    this.#recorders = recorders
    this.#folder = mkdtempSync(join(tmpdir(), 'octavo-test-'))
    this.#files = samples.map((sample, at) => this.#write(sample, at))
  }

  static async open(samples: readonly RunnableSample[]): Promise<Bench> {
    const recorders = samples.map(({ api, servers }) =>
      Recorder.open((request) => {
        const path = servers.below(request.target)?.replace(/\?.*$/s, '')
        return path === undefined ? undefined : api.answerAt(request, path)
      }),
    )
    return new Bench(samples, await Promise.all(recorders))
  }

  /** Runs the samples to their end, and closes the recorders. */
  async run({ runner, path, env }: Omit<RunOptions<never>, 'onRun'>): Promise<Ended> {
    const { command, args, batch = [], env: own } = this.#runtime
    const [first = ''] = this.#files
    const isBatch = this.#files.length > 1
    const ended = await runner.run({
      command,
      args: isBatch ? [...batch, ...this.#files] : [...args, first],
      cwd: join(first, '..'),
      env: {
        PATH: path,
        HOME: this.#folder,
        TMPDIR: this.#folder,
        LANG: 'C.UTF-8',
        ...own,
        ...env,
      },
      timeMsMax: SAMPLE_MS_MAX,
    })
    await Promise.all(this.#recorders.map((recorder) => recorder.close()))
    return ended
  }

  /** Checks whether a sample of a batch ran to its end. */
  hasSucceeded(at: number): boolean {
    return existsSync(join(this.#files[at] ?? '', '../ok'))
  }

  judge(sample: RunnableSample, at: number): readonly SampleProblem[] {
    const { requests = [], origin = '' } = this.#recorders[at] ?? {}
    // The port differs in each run.
    return judgeSample(sample, { requests, origin }).map((problem) => ({
      ...problem,
      reason: problem.reason.replaceAll(origin, 'http://recorder'),
    }))
  }

  requestCount(at: number): number {
    return this.#recorders[at]?.requests.length ?? 0
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #write({ source, servers, runtime, request }: RunnableSample, at: number): string {
    const folder = join(this.#folder, String(at))
    mkdirSync(folder)
    // Generated samples send a file with this name.
    if (request !== undefined) writeFileSync(join(folder, 'file'), FILE_CONTENT)
    const file = join(folder, runtime.fileName)
    const origin = this.#recorders[at]?.origin ?? ''
    writeFileSync(file, servers.replace(source, origin) ?? source)
    return file
  }
}
