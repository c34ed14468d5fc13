/** Finds the functions of the database that statements call, directly or through other functions. */
import type { Query } from '../src/platform/database/database.ts'

export type DatabaseFunction = {
  readonly name: string
  readonly body: string
  /** The statement that creates the function. */
  readonly definition: string
}

/** Reads all functions except triggers, which no statement calls. */
export const readFunctions = (query: Query): Promise<readonly DatabaseFunction[]> =>
  query<DatabaseFunction>(
    `select proname as name, prosrc as body, pg_get_functiondef(oid) as definition from pg_proc
      where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
      order by proname, pg_get_function_identity_arguments(oid)`,
  )

export function findCalled(
  functions: readonly DatabaseFunction[],
  texts: Iterable<string>,
): readonly DatabaseFunction[] {
  const called = new Set<DatabaseFunction>()
  const follow = (text: string) => {
    const names = new Set(text.replaceAll(/--.*/g, '').match(/\w+(?=\()/g))
    for (const one of functions) {
      if (called.has(one) || !names.has(one.name)) continue
      called.add(one)
      follow(one.body)
    }
  }
  for (const text of texts) follow(text)
  return [...called]
}
