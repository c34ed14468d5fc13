/**
 * What the script of each tool finds when it comes: its settings, and the calls that were made before.
 * The names are those that the tools document.
 */
import type { Tool, ToolKind } from './integration-plan.ts'

type Queue = unknown[] & Record<string, unknown>

const page = window as unknown as Record<string, unknown>

export const PREPARE: Readonly<Record<ToolKind, (tool: Tool) => void>> = {
  ga4: ({ id }) => {
    const gtag = dataLayerCall()
    gtag('js', new Date())
    gtag('config', id)
  },
  gtm: () => {
    dataLayerCall()
    dataLayer().push({ 'gtm.start': Date.now(), event: 'gtm.js' })
  },
  heap: ({ id }) => {
    const ready: unknown[] = asList('heapReadyCb')
    const heap = asList('heap')
    heap.envId = id
    heap.appid = id
    heap.clientConfig = { shouldFetchServerConfig: false }
    for (const name of HEAP_CALLS) {
      heap[name] = (...args: unknown[]) =>
        ready.push({ name, fn: () => call(page.heap, name, args) })
    }
  },
  intercom: ({ id }) => {
    page.intercomSettings = { app_id: id }
    const waiting: unknown[] = []
    const intercom = (...args: unknown[]) => waiting.push(args)
    page.Intercom ??= Object.assign(intercom, {
      q: waiting,
      c: (args: unknown) => waiting.push(args),
    })
  },
  mixpanel: ({ id, settings }) => {
    const people = queueOf([], ['set', 'set_once', 'increment', 'append', 'union', 'unset'])
    const mixpanel = queueOf([], ['track', 'track_pageview', 'identify', 'register', 'reset'])
    page.mixpanel ??= Object.assign(mixpanel, {
      people,
      _i: [[id, settings, 'mixpanel']],
      __SV: 1.2,
    })
  },
  plausible: () => {
    const waiting: unknown[] = []
    page.plausible ??= Object.assign((...args: unknown[]) => waiting.push(args), { q: waiting })
  },
  posthog: ({ id, settings }) => {
    const people = queueOf([], ['set', 'set_once'])
    const posthog = queueOf([], POSTHOG_CALLS)
    page.posthog ??= Object.assign(posthog, { people, _i: [[id, settings, 'posthog']], __SV: 1 })
  },
  segment: ({ id, settings }) => {
    const analytics = queueOf(asList('analytics'), SEGMENT_CALLS)
    Object.assign(analytics, { _writeKey: id, ...settings })
    call(analytics, 'page', [])
  },
}

const HEAP_CALLS = ['track', 'identify', 'resetIdentity', 'addUserProperties', 'addEventProperties']
const POSTHOG_CALLS = ['capture', 'identify', 'register', 'reset', 'group', 'opt_out_capturing']
const SEGMENT_CALLS = [
  'page',
  'track',
  'identify',
  'group',
  'alias',
  'reset',
  'ready',
  'on',
  'once',
]

function asList(name: string): Queue {
  const list = (page[name] ?? []) as Queue
  page[name] = list
  return list
}

function dataLayer(): unknown[] {
  return asList('dataLayer')
}

/** Google's scripts look for `arguments`, and leave a list alone. */
function dataLayerCall(): (...args: unknown[]) => void {
  function gtag(..._: unknown[]): void {
    // biome-ignore lint/complexity/noArguments: the scripts of Google tell calls by it
    dataLayer().push(arguments)
  }
  page.gtag ??= gtag
  return gtag
}

/** A list whose methods put their own call into it. */
function queueOf(list: unknown[], names: readonly string[]): Queue {
  const queue = list as Queue
  for (const name of names) {
    queue[name] ??= (...args: unknown[]) => {
      queue.push([name, ...args])
      return queue
    }
  }
  return queue
}

function call(owner: unknown, name: string, args: readonly unknown[]): void {
  const method = (owner as Record<string, unknown> | undefined)?.[name]
  if (typeof method === 'function') method.apply(owner, args)
}
