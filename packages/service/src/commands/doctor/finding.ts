/** All that can be wrong, each with a row in docs/operate/doctor.mdx. */
export const FAULT_CODES = [
  'environment-invalid',
  'database-unreachable',
  'database-refused',
  'database-too-old',
  'schema-missing',
  'schema-changed',
  'schema-newer',
  'role-unbound',
  'role-powerless',
  'row-security-off',
  'connections-too-few',
  'connections-short',
  'replica-unreachable',
  'replica-behind',
  'replica-promoted',
  'store-failed',
  'store-nearly-full',
  'clock-differs',
  'clock-set-back',
  'name-unresolved',
  'certificate-invalid',
  'certificate-untrusted',
  'certificate-ends',
  'secret-key-missing',
  'secret-key-wrong',
  'queue-waits',
  'jobs-failed',
  'model-unreachable',
  'model-refused',
  'model-unknown',
  'builds-not-isolated',
  'mail-failed',
  'check-failed',
] as const

const REASON_LENGTH_MAX = 300

type FaultCode = (typeof FAULT_CODES)[number]

/** What one check found. */
export type Finding =
  | {
      readonly check: string
      /** `not-set`: nothing was configured. `skipped`: it could not be looked at. */
      readonly status: 'ok' | 'not-set' | 'skipped'
      readonly found: string
    }
  | ({ readonly check: string; readonly status: 'warning' | 'failed' } & Fault)

export type Fault = {
  readonly code: FaultCode
  readonly found: string
  /** What to do. */
  readonly hint: string
}

export const fine = (check: string, found: string): Finding => ({ check, status: 'ok', found })

export const notSet = (check: string, name: string): Finding => ({
  check,
  status: 'not-set',
  found: name,
})

export const skipped = (check: string, found: string): Finding => ({
  check,
  status: 'skipped',
  found,
})

export const warning = (check: string, fault: Fault): Finding => ({
  check,
  status: 'warning',
  ...fault,
})

export const failed = (check: string, fault: Fault): Finding => ({
  check,
  status: 'failed',
  ...fault,
})

/** Of an error from outside: its first line, and that of its cause. Some of Node's have a code and no text. */
export function reasonOf(error: unknown): string {
  const { message = '', code, cause } = error as Error & { readonly code?: string }
  const [line = ''] = message.split('\n', 1)
  const reason = (line.trim() || code || 'unknown error').slice(0, REASON_LENGTH_MAX)
  return cause instanceof Error ? `${reason} (${reasonOf(cause)})` : reason
}
