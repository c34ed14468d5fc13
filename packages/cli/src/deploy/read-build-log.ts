/** Reads a build log as it grows, and resumes after the last line if the connection breaks. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Build, BuildLogLine } from '@octavo/contract'
import type { CommandContext } from '../context/command-context.ts'
import { DeployError } from './deploy-error.ts'
import type { ServiceClient } from './service-client.ts'

type LogOptions = { readonly id: string; readonly follow: boolean }

/** The number of consecutive interruptions without a new line after which reading fails. */
const BREAKS_MAX = 5
const WAIT_MS = 1_000

export async function* readBuildLog(
  { clock }: Pick<CommandContext, 'clock'>,
  client: Pick<ServiceClient, 'build' | 'buildLog'>,
  { id, follow }: LogOptions,
): AsyncGenerator<BuildLogLine> {
  let after = 0
  let breaks = 0
  for (;;) {
    const body = await client.buildLog(id, { after, follow })
    try {
      for await (const line of readLines(body)) {
        after = line.line
        breaks = 0
        yield line
      }
      // The response also ends at the time limit for following, even if the build is still running.
      if (!follow || hasEnded(await client.build(id))) return
    } catch (error) {
      if (error instanceof DeployError) throw error
      breaks += 1
      if (breaks === BREAKS_MAX)
        throw new DeployError('The connection to the service failed repeatedly.')
      await clock.sleep(WAIT_MS * breaks)
    }
  }
}

const hasEnded = ({ state }: Build) =>
  !['queued', 'fetching', 'building', 'uploading'].includes(state)

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<BuildLogLine> {
  const input = Readable.fromWeb(body)
  const lines = createInterface({ input })
  // `readline` does not report a stream error.
  let broken: unknown
  input.once('error', (error) => {
    broken = error
    lines.close()
  })
  for await (const text of lines) {
    // The last line may be incomplete.
    if (broken !== undefined) break
    yield JSON.parse(text) as BuildLogLine
  }
  if (broken !== undefined) throw broken
}
