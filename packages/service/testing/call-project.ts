import type { TestProject } from './test-service.ts'

export type CallOptions = {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Returns a function that calls routes below `/v1/projects/{id}`. It uses the project's key by
 * default.
 */
export function callerOf(url: string, { publicId, token: own }: TestProject) {
  return async function call<Reply>(method: string, path: string, options: CallOptions = {}) {
    const { body, token = own, headers = {} } = options
    const response = await fetch(`${url}/v1/projects/${publicId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /json$/.test(response.headers.get('content-type') ?? '') && text !== ''
    const isLines = response.headers.get('content-type')?.includes('ndjson') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson && !isLines ? JSON.parse(text) : undefined) as Reply,
    }
  }
}

export type ProblemBody = {
  readonly code: string
  readonly detail: string
  readonly param?: string
}
