/**
 * Matches `[spec] METHOD /path` and `[spec] webhook name`, as used in navigation and frontmatter.
 */
const OPERATION =
  /^(?:(?<specification>\S.*?)\s+)?(?<method>get|put|post|delete|options|head|patch|trace)\s+(?<path>\/.*)$/i
const WEBHOOK = /^(?:(?<specification>\S.*?)\s+)?webhook\s+(?<path>\S.*)$/i

export type NamedOperation = {
  readonly specification?: string
  /** The HTTP method in upper case, or `WEBHOOK`. Specifications use lower case. */
  readonly method: string
  /** The path of the operation, or the name of the webhook. */
  readonly path: string
}

export function parseOperationText(written: string): NamedOperation | undefined {
  const text = written.trim()
  const groups = OPERATION.exec(text)?.groups ?? WEBHOOK.exec(text)?.groups
  if (groups === undefined) return undefined
  const { specification, method = 'webhook', path = '' } = groups
  return {
    ...(specification === undefined ? {} : { specification }),
    method: method.toUpperCase(),
    path,
  }
}

/** Formats an operation as authors should write it. */
export function printOperation({ specification, method, path }: NamedOperation): string {
  const name = method === 'WEBHOOK' ? `webhook ${path}` : `${method} ${path}`
  return specification === undefined ? name : `${specification} ${name}`
}
