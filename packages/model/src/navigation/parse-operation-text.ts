/** `[spec] METHOD /path` and `[spec] webhook name`, as navigation and frontmatter write them. */
const OPERATION =
  /^(?:(?<specification>\S.*?)\s+)?(?<method>get|put|post|delete|options|head|patch|trace)\s+(?<path>\/.*)$/i
const WEBHOOK = /^(?:(?<specification>\S.*?)\s+)?(?<word>webhook)\s+(?<name>\S.*)$/i

export type NamedOperation = {
  readonly specification?: string
  /** Upper-case HTTP method, or `WEBHOOK`. */
  readonly method: string
  /** Path of the operation, or name of the webhook. */
  readonly path: string
  /** Set when it is understood, but has to be written otherwise. */
  readonly loose?: true
}

export function parseOperationText(written: string): NamedOperation | undefined {
  const text = written.trim()
  const operation = OPERATION.exec(text)?.groups
  if (operation !== undefined) {
    const { specification, method = '', path = '' } = operation
    return named(specification, method.toUpperCase(), path, method !== method.toUpperCase())
  }
  const webhook = WEBHOOK.exec(text)?.groups
  if (webhook === undefined) return undefined
  const { specification, word = '', name = '' } = webhook
  return named(specification, 'WEBHOOK', name, word !== 'webhook')
}

function named(
  specification: string | undefined,
  method: string,
  path: string,
  loose: boolean,
): NamedOperation {
  return {
    ...(specification === undefined ? {} : { specification }),
    ...{ method, path },
    ...(loose ? { loose } : {}),
  }
}

/** As authors should write it. */
export function printOperation({ specification, method, path }: NamedOperation): string {
  const name = method === 'WEBHOOK' ? `webhook ${path}` : `${method} ${path}`
  return specification === undefined ? name : `${specification} ${name}`
}
