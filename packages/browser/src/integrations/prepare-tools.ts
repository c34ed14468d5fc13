/**
 * Prepares the globals that each tool's script expects: its settings and the queued calls. Their
 * names are in the plan, so that a page contains only the names of its own tools.
 */
import type { Stub, Tool } from './integration-plan.ts'

type Queue = unknown[] & Record<string, unknown>

export const page = window as unknown as Record<string, unknown>

export function prepare({ globals, stub }: Tool): void {
  Object.assign(page, globals)
  if (stub !== undefined) addStub(stub)
}

function addStub(stub: Stub): void {
  switch (stub.kind) {
    case 'function': {
      const waiting: unknown[] = []
      page[stub.name] ??= Object.assign(
        keeper(() => waiting),
        {
          q: waiting,
          c: (args: unknown) => waiting.push(args),
        },
      )
      break
    }
    case 'list': {
      const list = queueOf(asList(stub.name), stub.calls)
      if (stub.people !== undefined) list.people ??= queueOf([] as unknown as Queue, stub.people)
      Object.assign(list, stub.own)
      if (stub.first !== undefined) call([stub.name, stub.first].join('.'), [])
      break
    }
    case 'google': {
      const gtag = keeper(() => asList('dataLayer'))
      page.gtag ??= gtag
      if (stub.id === undefined) {
        asList('dataLayer').push({ 'gtm.start': Date.now(), event: 'gtm.js' })
      } else {
        gtag('js', new Date())
        gtag('config', stub.id)
      }
      break
    }
    case 'heap': {
      const ready: unknown[] = asList('heapReadyCb')
      const heap = asList('heap')
      heap.envId = stub.id
      heap.appid = stub.id
      heap.clientConfig = { shouldFetchServerConfig: false }
      for (const name of stub.calls) {
        heap[name] = (...args: unknown[]) =>
          ready.push({ name, fn: () => call(`heap.${name}`, args) })
      }
      break
    }
    case 'amplitude': {
      const waiting: unknown[] = []
      const amplitude: Record<string, unknown> = { invoked: true, _q: waiting, _iq: {} }
      for (const name of stub.calls) {
        amplitude[name] = (...args: unknown[]) => ({
          promise: new Promise((resolve) => waiting.push({ name, args, resolve })),
        })
      }
      page.amplitude ??= amplitude
    }
  }
}

/** Calls a tool's function by its path, such as `heap.track`, if it exists. */
export function call(path: string, args: readonly unknown[]): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const owner = names.reduce<Record<string, unknown> | undefined>(
    (at, name) => at?.[name] as Record<string, unknown> | undefined,
    page,
  )
  const method = owner?.[last]
  if (typeof method === 'function') method.apply(owner, args)
}

function asList(name: string): Queue {
  const list = (page[name] ?? []) as Queue
  page[name] = list
  return list
}

/**
 * Returns a function that queues its calls. Google's scripts need `arguments` and ignore arrays;
 * other scripts accept both.
 */
function keeper(queue: () => unknown[]): (...args: unknown[]) => void {
  return function keep(..._: unknown[]): void {
    // biome-ignore lint/complexity/noArguments: Google's scripts recognize calls by it
    queue().push(arguments)
  }
}

/** Adds methods to a queue. Each method pushes its own call onto the queue. */
function queueOf(queue: Queue, names: readonly string[]): Queue {
  for (const name of names) {
    queue[name] ??= (...args: unknown[]) => {
      queue.push([name, ...args])
      return queue
    }
  }
  return queue
}
