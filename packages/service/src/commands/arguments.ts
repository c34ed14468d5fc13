/** A command that was not understood; printed without a stack. */
export class UsageError extends Error {}

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing.`)
  return value
}
