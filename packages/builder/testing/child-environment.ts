/**
 * Defines the environment of Node processes that tests and scripts start: the program path and the
 * compile cache. With the cache, the service starts in 0.8 instead of 2.1 seconds, and tests start
 * it hundreds of times.
 */
import { join } from 'node:path'

export const COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE ??
  join(import.meta.dirname, '../../../node_modules/.cache/compiled')

export const CHILD_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: COMPILE_CACHE,
}
