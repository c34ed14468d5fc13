const REASON_LENGTH_MAX = 300

/**
 * Returns the first line of the message of an external error, and of its cause. Some Node errors
 * have a code but no message.
 */
export function reasonOf(error: unknown): string {
  const { message = '', code, cause } = error as Error & { readonly code?: string }
  const [line = ''] = message.split('\n', 1)
  const reason = (line.trim() || code || 'unknown error').slice(0, REASON_LENGTH_MAX)
  return cause instanceof Error ? `${reason} (${reasonOf(cause)})` : reason
}
