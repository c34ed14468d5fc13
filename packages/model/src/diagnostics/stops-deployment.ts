import type { DiagnosticCode, Severity } from './diagnostic-codes.ts'

/**
 * The diagnostics that stop a deployment:
 *
 * breaking  errors that break the site; the default
 * error     every error
 * warning   every error and warning
 * none      no diagnostic
 */
export const FAIL_ON = ['breaking', 'error', 'warning', 'none'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** Errors that leave the page usable: only a link, an image, a tag or a detail is missing. */
const PUBLISHED: ReadonlySet<string> = new Set<DiagnosticCode>([
  'content/tag',
  'nav/missing-page',
  'openapi/unknown-operation',
  'openapi/wrong-value',
  'openapi/example-mismatch',
  'openapi/external-reference',
  'openapi/broken-reference',
  'openapi/wrong-reference',
  'openapi/reference-loop',
  'openapi/unknown-security',
  'openapi/server-url',
  'openapi/unknown-schema',
  'link/broken',
  'link/missing-file',
  'link/outside-root',
])

type Finding = { readonly code: string; readonly severity: Severity }

/** Returns true if a site with this diagnostic must not be published. */
export function stopsDeployment({ code, severity }: Finding, failOn: FailOn): boolean {
  switch (failOn) {
    case 'breaking':
      return severity === 'error' && !PUBLISHED.has(code)
    case 'error':
      return severity === 'error'
    case 'warning':
      return severity !== 'note'
    case 'none':
      return false
  }
}
