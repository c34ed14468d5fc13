/**
 * Runs the libraries of all deployments in separate processes, so that the content of a deployment
 * cannot stop or slow down this process. A project whose library crashes the process is refused for
 * a while. The other libraries of that process are opened again when they are needed.
 */
import { type SiteLibrary, UnreadableIndex } from '@octavo/search'
import { LRUCache } from 'lru-cache'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { LANES, type LaneName, SMALL_INDEX_BYTES, UNREADABLE_MS } from './lane-limits.ts'
import { LibraryLane, LibraryProcessLost, type LoadFiles } from './library-lane.ts'
import type {
  LibraryCall,
  LibraryMethod,
  LibraryStep,
  OpenedFacts,
  OpenedView,
  TextList,
} from './library-messages.ts'
import { ProcessEnded, ProcessTimeout } from './library-process.ts'
import { createRefusals, type Refusals } from './refusals.ts'

export type PooledView = {
  /** Contains everything that determines the results of the library, including its project. */
  readonly key: string
  readonly projectId: string
  readonly deploymentId: string
  /** Reads the information that is needed to open the library. */
  readonly prepare: () => Promise<PreparedView>
  readonly load: LoadFiles
  /** Returns the vector of a question. Only used for libraries that have vectors. */
  readonly embed?: ((question: string) => Promise<Int8Array | undefined>) | undefined
}

type PreparedView = {
  /** The size of the library's sections and vectors in bytes. */
  readonly indexBytes: number
  readonly of: WithoutBytes<OpenedView>
  readonly load: LoadFiles
}

type WithoutBytes<View> = View extends OpenedView ? Omit<View, 'libraryBytes'> : never

type Entry = OpenedFacts & { readonly bytes: number }

const ATTEMPTS_MAX = 3
const UNREADABLE_MAX = 10_000

export type PoolDeps = {
  /** Called each time an index turns out to be unreadable. */
  readonly onUnreadable: (view: PooledView, reason: string) => void
  readonly now: () => number
}

/** A library process and its open libraries. */
type OpenLane = ReturnType<typeof openLane>

function openLane(name: LaneName) {
  const limits = LANES[name]
  const entries = new LRUCache<string, Entry>({
    maxSize: limits.librariesBytes,
    sizeCalculation: ({ bytes }) => Math.min(Math.max(1, bytes), limits.librariesBytes),
    dispose: (_, key, reason) => {
      if (reason !== 'set') lane.close(key)
    },
  })
  const lane = new LibraryLane(limits, () => entries.clear())
  const opens = createFairQueue({ atOnce: limits.opensAtOnce, atOnceOfProject: 1 })
  return { limits, entries, lane, opens }
}

export class LibraryPool {
  readonly #deps: PoolDeps
  readonly #refusals: Refusals
  readonly #unreadable: LRUCache<string, string>
  readonly #opening = new Map<string, Promise<Entry>>()
  readonly #lanes = { small: openLane('small'), large: openLane('large') }

  constructor(deps: PoolDeps) {
    const { now } = deps
    this.#deps = deps
    this.#refusals = createRefusals(now)
    this.#unreadable = new LRUCache({ max: UNREADABLE_MAX, ttl: UNREADABLE_MS, perf: { now } })
  }

  async library(view: PooledView): Promise<SiteLibrary> {
    const { vectorBytes } = await this.#repeat(view, () => this.#open(view))
    const remote = (method: LibraryMethod) =>
      ((...args: readonly unknown[]) => this.#call(view, method, args)) as never
    return {
      vectorBytes,
      pages: remote('pages'),
      findPage: remote('findPage'),
      findOperation: remote('findOperation'),
      search: remote('search'),
      findContext: remote('findContext'),
      findMatches: remote('findMatches'),
      read: remote('read'),
      grep: remote('grep'),
    }
  }

  /** Returns a batch of texts to compute vectors for. */
  async texts(view: PooledView, from: number, limit: number): Promise<TextList> {
    return (await this.#call(view, 'texts', [from, limit])) as TextList
  }

  close(view: PooledView): void {
    this.#findLane(view)?.entries.delete(view.key)
  }

  /** Starts the process for small libraries in advance, because most libraries are small. */
  warm(): void {
    this.#lanes.small.lane.warm()
  }

  stop(): void {
    for (const { lane } of Object.values(this.#lanes)) lane.stop()
  }

  #findLane({ key }: PooledView): OpenLane | undefined {
    return Object.values(this.#lanes).find(({ entries }) => entries.has(key))
  }

  /** Opens a library, unless it is already open. Concurrent callers share one call. */
  #open(view: PooledView): Promise<Entry> {
    const { key } = view
    const known = this.#findLane(view)?.entries.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const running =
      this.#opening.get(key) ?? this.#openNow(view).finally(() => this.#opening.delete(key))
    this.#opening.set(key, running)
    return running
  }

  async #openNow(view: PooledView): Promise<Entry> {
    const { key, projectId } = view
    const { indexBytes, of, load } = await view.prepare()
    const name = indexBytes > SMALL_INDEX_BYTES ? 'large' : 'small'
    const { opens, limits, entries, lane } = this.#lanes[name]
    return opens(projectId, async () => {
      const room = limits.librariesBytes - Math.min(indexBytes, limits.libraryBytes)
      while (entries.calculatedSize > room) entries.pop()
      const { libraryBytes } = limits
      const step: LibraryStep = { kind: 'open', key, of: { ...of, libraryBytes } }
      const { value, bytes } = await this.#request({ ...view, load }, lane, step)
      const entry = { ...(value as OpenedFacts), bytes }
      entries.set(key, entry)
      return entry
    })
  }

  async #request(view: PooledView, lane: LibraryLane, step: LibraryStep) {
    const { projectId, load } = view
    try {
      const outcome = await lane.request({ projectId, step, load })
      if (outcome.kind === 'value') return outcome
      if (outcome.kind === 'closed') throw new LibraryProcessLost('The library was closed.')
      if (outcome.kind === 'failed')
        throw new Error('A file of the search index could not be read.')
      throw new UnreadableIndex(outcome.reason)
    } catch (error) {
      if (error instanceof UnreadableIndex) this.#remember(view, error)
      if (!(error instanceof ProcessEnded)) throw error
      if (!this.#refusals.suspect(projectId)) throw new LibraryProcessLost(error.message)
      const ended = 'Reading the index crashed the process twice.'
      this.#deps.onUnreadable(view, ended)
      throw new UnreadableIndex(ended)
    }
  }

  #remember(view: PooledView, error: UnreadableIndex): void {
    const { key, projectId } = view
    if (error instanceof ProcessTimeout) this.#refusals.add(projectId)
    else this.#unreadable.set(key, error.message)
    this.#deps.onUnreadable(view, error.message)
  }

  #check({ key, projectId }: PooledView): void {
    if (this.#refusals.isRefused(projectId))
      throw new UnreadableIndex('Reading the index took too much time or memory.')
    const reason = this.#unreadable.get(key)
    if (reason !== undefined) throw new UnreadableIndex(reason)
  }

  /** Runs the work, and repeats it if the process ended because of another project. */
  async #repeat<Result>(view: PooledView, work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      this.#check(view)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof LibraryProcessLost) || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }

  async #call(view: PooledView, method: LibraryMethod, args: readonly unknown[]) {
    const { key } = view
    return this.#repeat(view, async () => {
      const { vectorBytes } = await this.#open(view)
      const vector = vectorBytes > 0 ? await vectorOf(view, method, args) : undefined
      const own = this.#findLane(view)
      if (own === undefined) throw new LibraryProcessLost('The library was closed.')
      const { lane, entries } = own
      const step = { kind: 'call', key, call: { method, args, vector } } as const
      const { value, bytes } = await this.#request(view, lane, step).catch((error: unknown) => {
        if (error instanceof LibraryProcessLost) entries.delete(key)
        throw error
      })
      // A library loads more data while it is used, so its size changes.
      const known = entries.peek(key)
      if (known !== undefined && known.bytes !== bytes) entries.set(key, { vectorBytes, bytes })
      return value
    })
  }
}

/** Methods whose input is a reader's question. Only these use semantic search. */
const COMPARED: ReadonlySet<LibraryMethod> = new Set(['search', 'findContext', 'findMatches'])

async function vectorOf(
  { embed }: PooledView,
  method: LibraryMethod,
  [question]: readonly unknown[],
): Promise<LibraryCall['vector']> {
  if (!COMPARED.has(method) || typeof question !== 'string') return undefined
  const numbers = await embed?.(question)
  return numbers && { question, numbers }
}
