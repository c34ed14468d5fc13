/** Runs work after earlier work with the same name has ended. */
type Locked = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

export function createLocks(): Locked {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const result = (last.get(name) ?? Promise.resolve()).then(work)
    const done = result.catch(() => {})
    last.set(name, done)
    try {
      return await result
    } finally {
      if (last.get(name) === done) last.delete(name)
    }
  }
}
