import { BODY_BYTES_MAX } from './parse-request.ts'
import type { Route } from './route.ts'

/** The limit of a route that takes a stream is its own; every other body is small. */
export function bodyLimits(routes: readonly Route[]): (path: string) => number {
  const streams = routes.flatMap(({ path, stream }) =>
    stream === undefined
      ? []
      : [{ pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`), max: stream.bytesMax }],
  )
  return (path) => streams.find(({ pattern }) => pattern.test(path))?.max ?? BODY_BYTES_MAX
}
