import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './diagnostic-codes.ts'

/**
 * Findings that stop a deployment.
 *
 * breaking  errors that break the site; the default
 * error     every error
 * warning   every error and warning
 * none      no finding
 */
export const FAIL_ON = ['breaking', 'error', 'warning', 'none'] as const
export type FailOn = (typeof FAIL_ON)[number]

type Finding = { readonly code: string; readonly severity: Severity }

/** Returns whether a site with this finding is not published. */
export function stopsDeployment({ code, severity }: Finding, failOn: FailOn): boolean {
  switch (failOn) {
    case 'breaking':
      return severity === 'error' && !isPublished(code)
    case 'error':
      return severity === 'error'
    case 'warning':
      return severity !== 'note'
    case 'none':
      return false
  }
}

function isPublished(code: string): boolean {
  return (
    Object.hasOwn(DIAGNOSTIC_CODES, code) &&
    'isPublished' in DIAGNOSTIC_CODES[code as DiagnosticCode]
  )
}
