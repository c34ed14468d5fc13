/** Stores earlier conversations, only on this device. */
import type { Match, Source } from './render-answer.ts'

export type Turn = {
  readonly question: string
  text: string
  steps: { readonly tool: string; readonly of: string }[]
  sources: readonly Source[]
  nearest: readonly Source[]
  /** Excerpts of the documentation; undefined if a model answered. */
  matches?: readonly Match[] | undefined
  missing?: readonly string[] | undefined
  status: 'asking' | 'answered' | 'unanswered' | 'stopped' | 'busy' | 'offline' | 'failed'
  conversation?: { readonly id: string; readonly token: string } | undefined
  rating?: boolean | undefined
}

export type Thread = { readonly id: string; readonly turns: Turn[] }

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const THREADS_MAX = 20
const TURNS_MAX = 30
const BYTES_MAX = 300_000

export function createThreadStore(base: string, store: () => Store) {
  const key = `octavo-assistant${base}`

  /**
   * Returns the stored conversations, latest first. Storage may be disabled or contain data from
   * other scripts.
   */
  function read(): readonly Thread[] {
    try {
      const kept: unknown = JSON.parse(store().getItem(key) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isThread).slice(0, THREADS_MAX) : []
    } catch {
      return []
    }
  }

  return {
    read,
    keep({ id, turns }: Thread): void {
      if (turns.length === 0) return
      const others = read().filter((thread) => thread.id !== id)
      const all = [{ id, turns: turns.slice(-TURNS_MAX) }, ...others].slice(0, THREADS_MAX)
      while (all.length > 1 && JSON.stringify(all).length > BYTES_MAX) all.pop()
      try {
        store().setItem(key, JSON.stringify(all))
      } catch {
        // If storage is full or disabled, the conversation lasts as long as the page.
      }
    },
    forget(): void {
      try {
        store().removeItem(key)
      } catch {
        // If storage is disabled, there is no conversation to delete.
      }
    },
  }
}
export type ThreadStore = ReturnType<typeof createThreadStore>

function isThread(value: unknown): value is Thread {
  const { id, turns } = Object(value) as Partial<Thread>
  return typeof id === 'string' && Array.isArray(turns) && turns.length > 0 && turns.every(isTurn)
}

function isTurn(value: unknown): value is Turn {
  const turn = Object(value) as Partial<Turn>
  const { question, text, steps, sources, nearest, matches = [], missing = [], status } = turn
  const isText = [question, text, status].every((one) => typeof one === 'string')
  return (
    isText &&
    Array.isArray(steps) &&
    steps.every((step) => typeof Object(step).of === 'string') &&
    [sources, nearest, matches].every((list) => Array.isArray(list) && list.every(isSource)) &&
    [...matches.map((match) => match.text), ...missing].every((one) => typeof one === 'string')
  )
}

function isSource(value: unknown): value is Source {
  const { url, title } = Object(value) as Partial<Source>
  return typeof url === 'string' && typeof title === 'string'
}
