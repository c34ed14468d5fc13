/**
 * Libraries of all deployments that are asked, in processes of their own. Nothing that a deployment
 * holds can stop or slow down this process; a library that ends its process is refused for a while,
 * and the others in it are opened again when they are asked.
 */
import { type SiteLibrary, UnreadableIndex } from '@octavo/search'
import { LRUCache } from 'lru-cache'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { LANES, type LaneName, SMALL_INDEX_BYTES, UNREADABLE_MS } from './lane-limits.ts'
import { createLibraryLane, LaneLost, type LoadFiles } from './library-lane.ts'
import type {
  LibraryCall,
  LibraryMethod,
  LibraryStep,
  OpenedFacts,
  OpenedView,
  TextList,
} from './library-messages.ts'
import { ProcessEnded, ProcessMisused } from './library-process.ts'
import { createRefusals } from './refusals.ts'

export type PooledView = {
  /** Everything that decides what the library says, the project included. */
  readonly key: string
  readonly projectId: string
  readonly deploymentId: string
  /** What is needed to open it. */
  readonly prepare: () => Promise<PreparedView>
  readonly load: LoadFiles
  /** The vector of a question, for libraries that have vectors. */
  readonly embed?: ((question: string) => Promise<Int8Array | undefined>) | undefined
}

type PreparedView = {
  /** Bytes of its sections and vectors. */
  readonly indexBytes: number
  readonly of: WithoutBytes<OpenedView>
  readonly load: LoadFiles
}

type WithoutBytes<View> = View extends OpenedView ? Omit<View, 'libraryBytes'> : never

type Entry = OpenedFacts & { readonly bytes: number }

const ATTEMPTS_MAX = 3
const UNREADABLE_MAX = 10_000

export type PoolDeps = {
  /** Called once for each library that cannot be read. */
  readonly onUnreadable: (view: PooledView, reason: string) => void
  readonly now: () => number
}

export function createLibraryPool({ onUnreadable, now }: PoolDeps) {
  const refusals = createRefusals(now)
  const unreadable = new LRUCache<string, string>({
    max: UNREADABLE_MAX,
    ttl: UNREADABLE_MS,
    perf: { now },
  })
  const opening = new Map<string, Promise<Entry>>()
  const lanes = [createLane('small'), createLane('large')] as const

  function createLane(name: LaneName) {
    const limits = LANES[name]
    const entries = new LRUCache<string, Entry>({
      maxSize: limits.librariesBytes,
      sizeCalculation: ({ bytes }) => Math.min(Math.max(1, bytes), limits.librariesBytes),
      dispose: (_, key, reason) => {
        if (reason !== 'set') lane.close(key)
      },
    })
    const lane = createLibraryLane(limits, () => entries.clear())
    const opens = createFairQueue({ atOnce: limits.opensAtOnce, atOnceOfProject: 1 })
    return { limits, entries, lane, opens }
  }
  type Lane = ReturnType<typeof createLane>

  const findLane = ({ key }: PooledView): Lane | undefined =>
    lanes.find(({ entries }) => entries.has(key))

  /** Opens it unless it is open. Many may ask at the same time: it is opened once. */
  function open(view: PooledView): Promise<Entry> {
    const { key } = view
    const known = findLane(view)?.entries.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const running = opening.get(key) ?? openNow(view).finally(() => opening.delete(key))
    opening.set(key, running)
    return running
  }

  async function openNow(view: PooledView): Promise<Entry> {
    const { key, projectId } = view
    const { indexBytes, of, load } = await view.prepare()
    const { opens, limits, entries, lane } = indexBytes > SMALL_INDEX_BYTES ? lanes[1] : lanes[0]
    return opens(projectId, async () => {
      const room = limits.librariesBytes - Math.min(indexBytes, limits.libraryBytes)
      while (entries.calculatedSize > room) entries.pop()
      const { libraryBytes } = limits
      const step: LibraryStep = { kind: 'open', key, of: { ...of, libraryBytes } }
      const { value, bytes } = await request({ ...view, load }, lane, step)
      const entry = { ...(value as OpenedFacts), bytes }
      entries.set(key, entry)
      return entry
    })
  }

  async function request(view: PooledView, lane: Lane['lane'], step: LibraryStep) {
    const { projectId, load } = view
    try {
      const outcome = await lane.request({ projectId, step, load })
      if (outcome.kind === 'value') return outcome
      if (outcome.kind === 'closed') throw new LaneLost('The library was closed.')
      if (outcome.kind === 'failed') throw new Error('A file of the index was not read.')
      throw new UnreadableIndex(outcome.reason)
    } catch (error) {
      if (error instanceof UnreadableIndex) remember(view, error)
      if (!(error instanceof ProcessEnded)) throw error
      if (!refusals.suspect(projectId)) throw new LaneLost(error.message)
      const ended = 'Reading the index ended the process twice.'
      onUnreadable(view, ended)
      throw new UnreadableIndex(ended)
    }
  }

  function remember(view: PooledView, error: UnreadableIndex): void {
    const { key, projectId } = view
    if (error instanceof ProcessMisused) refusals.add(projectId)
    else unreadable.set(key, error.message)
    onUnreadable(view, error.message)
  }

  function check({ key, projectId }: PooledView): void {
    if (refusals.isRefused(projectId))
      throw new UnreadableIndex('Reading the index took too much time or memory.')
    const reason = unreadable.get(key)
    if (reason !== undefined) throw new UnreadableIndex(reason)
  }

  /** Does it again if the process ended because of others. */
  async function repeat<Result>(view: PooledView, work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      check(view)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof LaneLost) || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }

  async function call(view: PooledView, method: LibraryMethod, args: readonly unknown[]) {
    const { key } = view
    return repeat(view, async () => {
      const { vectorBytes } = await open(view)
      const vector = vectorBytes > 0 ? await vectorOf(view, method, args) : undefined
      const own = findLane(view)
      if (own === undefined) throw new LaneLost('The library was closed.')
      const { lane, entries } = own
      const step = { kind: 'call', key, call: { method, args, vector } } as const
      const { value, bytes } = await request(view, lane, step).catch((error: unknown) => {
        if (error instanceof LaneLost) entries.delete(key)
        throw error
      })
      // It grows while it is asked.
      const known = entries.peek(key)
      if (known !== undefined && known.bytes !== bytes) entries.set(key, { vectorBytes, bytes })
      return value
    })
  }

  return {
    async library(view: PooledView): Promise<SiteLibrary> {
      const { vectorBytes } = await repeat(view, () => open(view))
      const remote = (method: LibraryMethod) =>
        ((...args: readonly unknown[]) => call(view, method, args)) as never
      return {
        vectorBytes,
        pages: remote('pages'),
        findPage: remote('findPage'),
        findOperation: remote('findOperation'),
        search: remote('search'),
        findContext: remote('findContext'),
        findPassage: remote('findPassage'),
        read: remote('read'),
        grep: remote('grep'),
      }
    },

    /** The texts that vectors are made of, some at a time. */
    async texts(view: PooledView, from: number, limit: number): Promise<TextList> {
      return (await call(view, 'texts', [from, limit])) as TextList
    },

    close(view: PooledView): void {
      findLane(view)?.entries.delete(view.key)
    },

    /** Most libraries are small. */
    warm: lanes[0].lane.warm,

    stop(): void {
      for (const { lane } of lanes) lane.stop()
    },
  }
}

/** Only what is asked in words of a reader is compared by meaning. */
const COMPARED: ReadonlySet<LibraryMethod> = new Set(['search', 'findContext', 'findPassage'])

async function vectorOf(
  { embed }: PooledView,
  method: LibraryMethod,
  [question]: readonly unknown[],
): Promise<LibraryCall['vector']> {
  if (!COMPARED.has(method) || typeof question !== 'string') return undefined
  const numbers = await embed?.(question)
  return numbers && { question, numbers }
}
