import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'
import { JoinedCalls } from './joined-calls.ts'

/** Records the items of each call, and fails for calls with a negative item. */
function record({ joinedMax = 10 } = {}) {
  const queue = createFairQueue({ atOnce: 4, atOnceOfProject: 1 })
  const joined = new JoinedCalls<number, number>(queue, joinedMax)
  const calls: (readonly number[])[] = []
  const call = async (items: readonly number[]) => {
    calls.push(items)
    await nextTurn()
    if (items.some((item) => item < 0)) throw new Error(`failed with ${items.length}`)
    return items.map((item) => item * 2)
  }
  return { calls, add: (project: string, item: number) => joined.add(project, item, call) }
}

describe('joined calls', () => {
  test('calls of a project that wait at the same time become one call with a result for each', async () => {
    const { calls, add } = record()
    expect(await Promise.all([add('a', 1), add('a', 2), add('a', 3)])).toEqual([2, 4, 6])
    expect(calls).toEqual([[1, 2, 3]])
  })

  test('calls that arrive while one runs are joined in the next one', async () => {
    const { calls, add } = record()
    const first = add('a', 1)
    await expect.poll(() => calls.length).toBe(1)
    expect(await Promise.all([first, add('a', 2), add('a', 3)])).toEqual([2, 4, 6])
    expect(calls).toEqual([[1], [2, 3]])
  })

  test('calls of different projects are not joined', async () => {
    const { calls, add } = record()
    await Promise.all([add('a', 1), add('b', 2)])
    expect(calls.toSorted()).toEqual([[1], [2]])
  })

  test('a call has at most as many items as the limit, in the order of their arrival', async () => {
    const { calls, add } = record({ joinedMax: 2 })
    expect(await Promise.all([1, 2, 3, 4, 5].map((item) => add('a', item)))).toEqual([
      2, 4, 6, 8, 10,
    ])
    expect(calls).toEqual([[1, 2], [3, 4], [5]])
  })

  test('an invalid item fails alone, and the items that were joined with it succeed', async () => {
    const { calls, add } = record()
    const results = await Promise.allSettled([add('a', 1), add('a', -1), add('a', 3)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(calls).toEqual([[1, -1, 3], [1], [-1], [3]])
  })

  test('a call with one item that fails is not repeated', async () => {
    const { calls, add } = record()
    await expect(add('a', -1)).rejects.toThrow('failed with 1')
    expect(calls).toEqual([[-1]])
  })
})
