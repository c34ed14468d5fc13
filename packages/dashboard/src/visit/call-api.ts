/**
 * Calls the API. Responses are validated with the schemas of the contract; problems are returned or
 * thrown.
 */
import { ProblemReply } from '@octavo/contract'
import type { Api } from './visit.ts'

type Schema<T> = { parse(value: unknown): T }

export type FormProblem = {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly param?: string | undefined
  readonly errors?: readonly { readonly path: string; readonly reason: string }[] | undefined
}

/**
 * Thrown for a response that no form can correct: not signed in, not allowed, not found, or broken.
 */
export class ApiFailure extends Error {
  readonly problem: FormProblem

  constructor(problem: FormProblem) {
    super(problem.detail)
    this.name = 'ApiFailure'
    this.problem = problem
  }
}

export type Sent<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly problem: FormProblem }

/** Statuses that a person can correct in the form. */
const CORRECTABLE = new Set([400, 409, 410, 413, 422, 429, 502, 507])

export async function readApi<T>(api: Api, schema: Schema<T>, path: string): Promise<T> {
  const response = await api('GET', path)
  if (!response.ok) throw new ApiFailure(await readProblem(response))
  return schema.parse(await response.json())
}

/** Reads a resource from the API; returns undefined if it does not exist. */
export async function findApi<T>(
  api: Api,
  schema: Schema<T>,
  path: string,
): Promise<T | undefined> {
  const response = await api('GET', path)
  if (response.ok) return schema.parse(await response.json())
  const problem = await readProblem(response)
  if (problem.status === 404 || problem.status === 409) return undefined
  throw new ApiFailure(problem)
}

/** The schema for changes whose response is empty or ignored. */
export const NO_REPLY: Schema<undefined> = { parse: () => undefined }

export type Change = {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly idempotencyKey?: string | undefined
}

export async function sendApi<T>(
  api: Api,
  schema: Schema<T>,
  { method, path, body, idempotencyKey }: Change,
): Promise<Sent<T>> {
  const response = await api(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
  if (response.ok) {
    const value = response.status === 204 ? undefined : await response.json()
    return { ok: true, data: schema.parse(value) }
  }
  const problem = await readProblem(response)
  // `sign-in-again` is correctable too: after signing in, the person returns to the form.
  if (CORRECTABLE.has(problem.status) || problem.code === 'sign-in-again')
    return { ok: false, problem }
  throw new ApiFailure(problem)
}

export async function readProblem(response: Response): Promise<FormProblem> {
  const text = await response.text()
  const parsed = ProblemReply.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const { status } = response
  return { status, code: 'internal', detail: `The service responded with status ${status}.` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the error message for one field; undefined if the problem is not about it. */
export function errorOf(problem: FormProblem | undefined, name: string): string | undefined {
  if (problem === undefined) return undefined
  const own = problem.errors?.find(({ path }) => belongsTo(path, name))
  if (own !== undefined) return own.reason
  return belongsTo(problem.param ?? '', name) ? problem.detail : undefined
}

/** Checks whether a path belongs to a field: `scopes.0` belongs to `scopes`. */
const belongsTo = (path: string, name: string) => path === name || path.startsWith(`${name}.`)

/** Returns the message if the problem is about none of these fields. */
export function generalError(
  problem: FormProblem | undefined,
  names: readonly string[],
): string | undefined {
  if (problem === undefined) return undefined
  return names.some((name) => errorOf(problem, name) !== undefined) ? undefined : problem.detail
}
