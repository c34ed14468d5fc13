/**
 * Defines problems: errors caused by the caller or the environment. They are thrown anywhere and
 * turned into responses in one place.
 */

export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Valid API key required' },
  'invalid-ticket': { status: 401, title: 'Valid ticket required' },
  'invalid-signature': { status: 401, title: 'Valid signature required' },
  forbidden: { status: 403, title: 'Not allowed' },
  'sign-in-again': { status: 403, title: 'Recent sign-in required' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'not-acceptable': { status: 406, title: 'None of the accepted formats is available' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  archived: { status: 409, title: 'The project is archived' },
  gone: { status: 410, title: 'No longer possible' },
  'too-large': { status: 413, title: 'Request body too large' },
  'url-too-long': { status: 414, title: 'URL too long' },
  misdirected: { status: 421, title: 'Wrong host' },
  unprocessable: { status: 422, title: 'Invalid content' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  internal: { status: 500, title: 'Internal server error' },
  'upstream-failed': { status: 502, title: 'The other server did not respond' },
  unavailable: { status: 503, title: 'Service unavailable' },
  'insufficient-storage': { status: 507, title: 'Storage limit reached' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

export type ProblemDetails = {
  /** The name of the invalid parameter. */
  readonly param?: string
  readonly headers?: Readonly<Record<string, string>>
  /** All errors in the request, for routes that report more than one. */
  readonly errors?: readonly PathError[]
  readonly cause?: unknown
}

export type PathError = { readonly path: string; readonly reason: string }

export class Problem extends Error {
  readonly code: ProblemCode
  readonly param: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly errors: readonly PathError[] | undefined

  constructor(code: ProblemCode, detail: string, details: ProblemDetails = {}) {
    super(detail, { cause: details.cause })
    this.name = 'Problem'
    this.code = code
    this.param = details.param
    this.headers = details.headers ?? {}
    this.errors = details.errors
  }

  /** Returns the same problem with additional headers. */
  with(headers: Readonly<Record<string, string>>): Problem {
    const { code, message, param, cause, errors } = this
    const all = { ...headers, ...this.headers }
    return new Problem(code, message, {
      cause,
      headers: all,
      ...(param === undefined ? {} : { param }),
      ...(errors === undefined ? {} : { errors }),
    })
  }
}

/**
 * The path below which a page explains each code. It has no host, so that it is valid on every
 * host.
 */
const TYPE_BASE = '/problems/'

/** Returns the body of a problem response. */
export function problemBody(problem: Problem, requestId: string) {
  const { status, title } = PROBLEMS[problem.code]
  return {
    type: `${TYPE_BASE}${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    ...(problem.param === undefined ? {} : { param: problem.param }),
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    requestId,
  }
}

const RETRY_AFTER_SECONDS = 1
/** Roughly the time it takes to move a small project. */
const MOVE_SECONDS = 5

/** Converts any thrown value to a problem. Unexpected errors become `internal`, without details. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isMoving(error)) {
    return new Problem(
      'unavailable',
      'The project is being moved and is read-only for a moment. Please try again.',
      { cause: error, headers: { 'retry-after': String(MOVE_SECONDS) } },
    )
  }
  if (isDatabaseDown(error)) {
    return new Problem('unavailable', 'The database cannot be reached. Please try again.', {
      cause: error,
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    })
  }
  return new Problem('internal', 'Unexpected error. Include the request id when you report it.', {
    cause: error,
  })
}

/** Matches the database error for writes to a project that is being moved to another cell. */
const isMoving = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'OCM01'

/**
 * Matches PostgreSQL error codes for connection errors, shutdown, recovery, timeouts, unavailable
 * locks and full disks. A replica that is about to become the primary rejects writes (25006) and
 * WAL functions (55000).
 */
const DOWN = /^(?:08...|57P0[1-5]|57014|53...|55P03|55000|40001|40P01|25006|XX000)$/
const DOWN_TEXT = /connection|timeout|ECONNREFUSED|ECONNRESET|EPIPE|terminat/i

const OWN_MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError]

function isDatabaseDown(error: unknown): boolean {
  // These errors are bugs in our own code, even if the message mentions a connection or a timeout.
  if (!(error instanceof Error) || OWN_MISTAKES.some((kind) => error instanceof kind)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A FATAL error ends the connection, for example because the database does not exist or accepts
  // no connections.
  if ('severity' in error && error.severity === 'FATAL') return true
  // PostgreSQL codes contain a digit, unlike system codes such as EPIPE.
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return DOWN.test(code)
  return DOWN_TEXT.test(code) || DOWN_TEXT.test(error.message)
}
