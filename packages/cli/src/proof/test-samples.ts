import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readSiteSamples } from '@octavo/builder'
import { openFolder } from '../commands/open-folder.ts'
import type { NetworkOptions } from '../commands/specification-fetcher.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { printJunit } from './print-junit.ts'
import { printResults, printStart } from './print-results.ts'
import { ProgramRunner } from './program-runner.ts'
import { printProof } from './proof-file.ts'
import { runSamples } from './run-samples.ts'
import { findRuntimes } from './runtimes.ts'
import { languagesOf, listSamples, type SampleResult } from './sample-list.ts'

export type TestOptions = NetworkOptions & {
  readonly folder: string
  /** Variables for the samples, by name. */
  readonly env: Readonly<Record<string, string>>
  readonly format: 'text' | 'github'
  /** The file for the results as `octavo-proof/1`. */
  readonly output: string | undefined
  /** The file for the results in the format of JUnit. */
  readonly junit: string | undefined
}

/** `octavo test`: runs the request samples of a site, and checks what they send. */
export async function testSamples(world: CommandContext, options: TestOptions): Promise<ExitCode> {
  const opened = await openFolder(world, options)
  if (opened === undefined) return EXIT.usage
  const operations = readSiteSamples(opened.site)
  const runner = new ProgramRunner()
  void world.waitForSignal?.().then(() => runner.stop())
  const path = world.env.PATH ?? ''
  const runtimes = await findRuntimes(languagesOf(operations), { path, runner })
  const listed = listSamples(operations, runtimes)
  if (listed.length === 0) {
    world.err.write('octavo: this site has no request samples.\n')
    return EXIT.usage
  }
  const colors = colorsFor(world.out, world.env)
  world.out.write(printStart(listed, runtimes, colors))
  const results = await runListed(listed, { runner, path, env: options.env })
  if (runner.isStopped) {
    world.err.write('octavo: stopped.\n')
    return EXIT.failed
  }
  const { format, output, junit } = options
  if (output !== undefined) {
    const date = new Date(world.clock.now())
    writeFileSync(resolve(world.cwd, output), printProof({ results, runtimes, date }))
  }
  if (junit !== undefined) writeFileSync(resolve(world.cwd, junit), printJunit(results))
  world.out.write(printResults(results, { format, folder: options.folder }, colors))
  const isProven = results.some(({ outcome }) => outcome === 'passed')
  const isWrong = results.some(({ outcome }) => outcome === 'failed')
  return isProven && !isWrong ? EXIT.ok : EXIT.problems
}

type RunInput = {
  readonly runner: ProgramRunner
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs the samples that can run, and returns all results in the order of the list. */
async function runListed(
  listed: ReturnType<typeof listSamples>,
  input: RunInput,
): Promise<readonly SampleResult[]> {
  const results: SampleResult[] = []
  const runnable = listed.flatMap(({ runnable, ...known }, at) =>
    runnable === undefined ? [] : [{ ...runnable, known, at }],
  )
  await runSamples(runnable, {
    ...input,
    onRun: ({ known, at }, run) => {
      const outcome = run.problems.length === 0 ? 'passed' : 'failed'
      results[at] = { ...known, ...run, outcome }
    },
  })
  return listed.map(({ runnable: _, ...known }, at): SampleResult => {
    return results[at] ?? { ...known, outcome: 'not-run', problems: [], output: '' }
  })
}
