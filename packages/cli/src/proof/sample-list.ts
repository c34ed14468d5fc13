/** Prepares the samples of a site to be run. */
import { createHash } from 'node:crypto'
import type { OperationSamples } from '@octavo/builder'
import {
  type LanguageId,
  MockApi,
  type RequestSample,
  ServerUrls,
  type Specification,
} from '@octavo/openapi'
import type { RunnableSample, SampleRun } from './run-samples.ts'
import { FILE_CONTENT, type FoundRuntime } from './runtimes.ts'

/** A sample of a site, with what is known before it runs. */
type SiteSample = Pick<OperationSamples, 'place' | 'pages'> & {
  /** The method and the path of the operation. */
  readonly operation: string
  readonly label: string
  /** The language as written. */
  readonly language: string
  /** True for code that an author wrote. */
  readonly isWritten: boolean
  /** The SHA-256 of the code. */
  readonly sha256: string
}

export type SampleResult = SiteSample & {
  readonly outcome: 'passed' | 'failed' | 'not-run'
  /** Why the sample was not run. */
  readonly reason?: string
} & SampleRun

export type ListedSample = SiteSample &
  (
    | { readonly reason: string; readonly runnable?: never }
    | { readonly runnable: RunnableSample; readonly reason?: never }
  )

/** Returns the languages of all samples that we know. */
export function languagesOf(operations: readonly OperationSamples[]): ReadonlySet<LanguageId> {
  const samples = operations.flatMap(({ samples }) => samples)
  return new Set(samples.flatMap(({ language }) => language?.id ?? []))
}

export function listSamples(
  operations: readonly OperationSamples[],
  runtimes: ReadonlyMap<LanguageId, FoundRuntime>,
): readonly ListedSample[] {
  const apis = new Map<Specification, MockApi>()
  return operations.flatMap((shown) => {
    const { specification, operation, place, pages, samples } = shown
    const api = apis.get(specification) ?? new MockApi(specification)
    apis.set(specification, api)
    const servers = new ServerUrls(shown.servers)
    return samples.map((sample) => {
      const { language, name, label, source, request } = sample
      const known: SiteSample = {
        operation: `${operation.method} ${operation.path}`,
        place,
        pages,
        label,
        language: language?.id ?? name,
        isWritten: request === undefined,
        sha256: createHash('sha256').update(source).digest('hex'),
      }
      const found = language && runtimes.get(language.id)
      const reason = reasonNotToRun(sample, servers, found)
      if (reason !== undefined || found === undefined || typeof found === 'string')
        return { ...known, reason: reason ?? '' }
      const isBrowser = language?.id === 'javascript'
      const judged = { api, operation, servers, request, isBrowser, contentOf: () => FILE_CONTENT }
      return { ...known, runnable: { ...judged, runtime: found, source } }
    })
  })
}

function reasonNotToRun(
  { name, source }: RequestSample,
  servers: ServerUrls,
  runtime: FoundRuntime | undefined,
): string | undefined {
  if (runtime === undefined) return `the language \`${name}\` is not known`
  if (typeof runtime === 'string') return runtime
  const { origins } = servers
  if (origins.length === 0) return 'the operation has no server with an absolute URL in `servers`'
  if (servers.replace(source, '') !== undefined) return undefined
  const urls = origins.map((origin) => `\`${origin}\``).join(' or ')
  return `the code does not contain the URL of the server, ${urls}`
}
