/** The codes of all faults, each explained in docs/operate/doctor.mdx. */
export const FAULT_CODES = [
  'environment-invalid',
  'variable-unknown',
  'database-unreachable',
  'database-refused',
  'database-too-old',
  'schema-missing',
  'schema-changed',
  'schema-newer',
  'schema-early',
  'role-unbound',
  'role-powerless',
  'role-temporary',
  'row-security-off',
  'connections-too-few',
  'connections-short',
  'replica-unreachable',
  'replica-behind',
  'replica-promoted',
  'port-unusable',
  'store-failed',
  'store-nearly-full',
  'clock-differs',
  'clock-set-back',
  'name-unresolved',
  'domain-shared',
  'certificate-invalid',
  'certificate-untrusted',
  'certificate-ends',
  'pepper-wrong',
  'secret-key-missing',
  'secret-key-wrong',
  'pepper-old',
  'queue-waits',
  'jobs-failed',
  'model-unreachable',
  'model-refused',
  'model-unknown',
  'builds-not-isolated',
  'mail-failed',
  'check-failed',
] as const

type FaultCode = (typeof FAULT_CODES)[number]

/** The result of one check. */
export type Finding =
  | {
      readonly check: string
      /** `not-set`: not configured. `skipped`: could not be checked. */
      readonly status: 'ok' | 'not-set' | 'skipped'
      readonly found: string
    }
  | ({ readonly check: string; readonly status: 'warning' | 'failed' } & Fault)

export type Fault = {
  readonly code: FaultCode
  readonly found: string
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
