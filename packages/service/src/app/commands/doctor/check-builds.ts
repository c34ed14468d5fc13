import { detectIsolation } from '../../../platform/sandbox/isolation.ts'
import { type Finding, fine, warning } from './finding.ts'

/**
 * Reports how workers isolate builds of untrusted authors: with bubblewrap, or only with resource
 * limits.
 */
export async function checkBuilds(): Promise<Finding> {
  const { kind, description } = await detectIsolation()
  if (kind === 'bubblewrap') return fine('builds', 'bubblewrap works')
  return warning('builds', {
    code: 'builds-not-isolated',
    found: `Builds on this machine run as ${description}.`,
    hint: 'If workers run on this machine, install bubblewrap and allow it to create user namespaces.',
  })
}
