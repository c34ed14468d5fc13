import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createFairQueue, QueueFullError } from './fair-queue.ts'

/** Creates named pieces of work, each of which runs until the test ends it. */
function createWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    end: (name: string) => ends.get(name)?.(),
    named: (name: string) => () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
  }
}

/** Waits for enough turns of the event loop to let all work start that can start. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await nextRound()
}

describe('concurrent work', () => {
  test('queued work waits for a free slot, and all of it completes', async () => {
    const queue = createFairQueue({ atOnce: 4, atOnceOfProject: 3 })
    let atOnce = 0
    let most = 0
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        queue(`project ${index % 2}`, async () => {
          atOnce += 1
          most = Math.max(most, atOnce)
          await sleep(1)
          atOnce -= 1
          return index
        }),
      ),
    )
    expect(results).toEqual(Array.from({ length: 200 }, (_, index) => index))
    expect(most).toBe(4)
  })

  test('one project cannot use all slots', async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 3, atOnceOfProject: 2 })
    for (const name of ['a1', 'a2', 'a3']) void queue('a', named(name))
    await settle()
    expect(started).toEqual(['a1', 'a2'])
    void queue('b', named('b1'))
    await settle()
    expect(started).toEqual(['a1', 'a2', 'b1'])
    end('a1')
    await settle()
    expect(started.at(-1)).toBe('a3')
  })

  test('waiting work of several projects takes turns', async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 1, atOnceOfProject: 1 })
    for (const name of ['a1', 'a2', 'a3']) void queue('a', named(name))
    await settle()
    void queue('b', named('b1'))
    for (const name of ['a1', 'a2', 'b1']) {
      end(name)
      await settle()
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('two pieces of work do not start in the same event loop turn', async () => {
    const { started, named } = createWork()
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 10 })
    const all = [queue('a', named('a1')), queue('a', named('a2'))]
    expect(started).toEqual([])
    await nextRound()
    expect(started.length).toBeLessThan(all.length)
    await settle()
    expect(started).toEqual(['a1', 'a2'])
  })

  test('the first piece of work starts at once, and the next ones start at intervals', async () => {
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 10, everyMs: 100 })
    const began = performance.now()
    const startOf = () => queue('a', async () => performance.now() - began)
    const starts = await Promise.all([startOf(), startOf(), startOf()])
    const [first = 0, second = 0, third = 0] = starts
    expect(first).toBeLessThan(second)
    // Work starts shortly after it gets its slot, and a timer may fire a millisecond early.
    expect(second - first).toBeGreaterThan(90)
    expect(third - second).toBeGreaterThan(90)
  })

  test('a burst starts without intervals, and only pauses allow another one', async () => {
    const limits = { atOnce: 10, atOnceOfProject: 10, everyMs: 100, burst: 2 }
    const queue = createFairQueue(limits)
    const began = performance.now()
    const startOf = () => queue('a', async () => performance.now() - began)
    const starts = await Promise.all([startOf(), startOf(), startOf(), startOf(), startOf()])
    const [, , third = 0, fourth = 0, fifth = 0] = starts
    expect(third).toBeLessThan(90)
    // The burst is used up, so the next ones start at the times of exact intervals.
    expect(fourth).toBeGreaterThan(90)
    expect(fifth).toBeGreaterThan(190)
  })

  test('work that fails frees its slot for waiting work', async () => {
    const queue = createFairQueue({ atOnce: 1, atOnceOfProject: 1 })
    const failed = queue('a', async () => {
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await queue('a', async () => 'next')).toBe('next')
  })
})

describe('work with sizes', () => {
  test('work starts when its size fits the free capacity of its project and of the queue', async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 6 })
    void queue('a', named('a4'), 4)
    void queue('a', named('a3'), 3)
    void queue('b', named('b6'), 6)
    void queue('c', named('c1'), 1)
    await settle()
    // Project `a` has too little capacity left for `a3`, and the queue has none left for `c1`.
    expect(started).toEqual(['a4', 'b6'])
    end('a4')
    await settle()
    expect(started).toEqual(['a4', 'b6', 'c1', 'a3'])
  })

  test('small jobs do not delay a large job of another project indefinitely', async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 4, atOnceOfProject: 4 })
    void queue('a', named('a3'), 3)
    await settle()
    void queue('b', named('b4'), 4)
    for (const name of ['c1', 'c2']) void queue('c', named(name), 1)
    await settle()
    expect(started).toEqual(['a3'])
    end('a3')
    await settle()
    expect(started).toEqual(['a3', 'b4'])
    end('b4')
    await settle()
    expect(started).toEqual(['a3', 'b4', 'c1', 'c2'])
  })

  test("work that exceeds its project's limit runs without other work of the project", async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 4 })
    void queue('a', named('a9'), 9)
    void queue('a', named('a1'), 1)
    await settle()
    expect(started).toEqual(['a9'])
    end('a9')
    await settle()
    expect(started).toEqual(['a9', 'a1'])
  })

  test('work is rejected if too much work of its project is waiting, but other projects are not affected', async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 1, atOnceOfProject: 1, waitingOfProjectMax: 2 })
    void queue('a', named('a1'))
    await settle()
    for (const name of ['a2', 'a3']) void queue('a', named(name))
    await expect(queue('a', named('a4'))).rejects.toThrow(QueueFullError)
    void queue('b', named('b1'))
    end('a1')
    await settle()
    void queue('a', named('a5'))
    for (const name of ['a2', 'b1', 'a3', 'a5']) {
      end(name)
      await settle()
    }
    expect(started.toSorted()).toEqual(['a1', 'a2', 'a3', 'a5', 'b1'])
  })
})
