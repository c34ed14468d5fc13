const REASON_LENGTH_MAX = 300

/** The first line of an error from outside, and that of its cause. Some errors of Node have a code and no text. */
export function reasonOf(error: unknown): string {
  const { message = '', code, cause } = error as Error & { readonly code?: string }
  const [line = ''] = message.split('\n', 1)
  const reason = (line.trim() || code || 'unknown error').slice(0, REASON_LENGTH_MAX)
  return cause instanceof Error ? `${reason} (${reasonOf(cause)})` : reason
}
