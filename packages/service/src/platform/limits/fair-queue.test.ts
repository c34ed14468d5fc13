import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createFairQueue, QueueFullError } from './fair-queue.ts'

/** Work that ends when it is told to. */
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

/** Rounds of the event loop until nothing more starts. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await nextRound()
}

describe('Questions that come at the same time', () => {
  test('wait until there is a place, and all are served', async () => {
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

  test('of one project leave places to the others', async () => {
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

  test('of several projects take turns', async () => {
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

  test('do not start in the same round of the event loop', async () => {
    const { started, named } = createWork()
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 10 })
    const all = [queue('a', named('a1')), queue('a', named('a2'))]
    expect(started).toEqual([])
    await nextRound()
    expect(started.length).toBeLessThan(all.length)
    await settle()
    expect(started).toEqual(['a1', 'a2'])
  })

  test('start at a pace that leaves time for other work, the first at once', async () => {
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 10, everyMs: 100 })
    const began = performance.now()
    const startOf = () => queue('a', async () => performance.now() - began)
    const starts = await Promise.all([startOf(), startOf(), startOf()])
    const [first = 0, second = 0, third = 0] = starts
    expect(first).toBeLessThan(second)
    // Work begins a moment after its place is given, and a timer may ring a millisecond early.
    expect(second - first).toBeGreaterThan(90)
    expect(third - second).toBeGreaterThan(90)
  })

  test('give their place back when they fail', async () => {
    const queue = createFairQueue({ atOnce: 1, atOnceOfProject: 1 })
    const failed = queue('a', async () => {
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await queue('a', async () => 'next')).toBe('next')
  })
})

describe('Work with sizes', () => {
  test('work starts when its size fits into what the project and the process have left', async () => {
    const { started, end, named } = createWork()
    const queue = createFairQueue({ atOnce: 10, atOnceOfProject: 6 })
    void queue('a', named('a4'), 4)
    void queue('a', named('a3'), 3)
    void queue('b', named('b6'), 6)
    void queue('c', named('c1'), 1)
    await settle()
    // Of `a` there is no place for 3, and of all for 1.
    expect(started).toEqual(['a4', 'b6'])
    end('a4')
    await settle()
    expect(started).toEqual(['a4', 'b6', 'c1', 'a3'])
  })

  test('small work does not overtake large work of another project for ever', async () => {
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

  test('work that is larger than the limit of a project runs alone', async () => {
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

  test('work beyond the number that may wait is refused, and that of other projects is not', async () => {
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
