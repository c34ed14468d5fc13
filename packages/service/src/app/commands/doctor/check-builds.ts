import { detectIsolation } from '../../../platform/sandbox/isolation.ts'
import { type Finding, fine, warning } from './finding.ts'

/** Workers build files of untrusted authors: isolated by bubblewrap, or only by resource limits. */
export async function checkBuilds(): Promise<Finding> {
  const { kind, description } = await detectIsolation()
  if (kind === 'bubblewrap') return fine('builds', 'bubblewrap works')
  return warning('builds', {
    code: 'builds-not-isolated',
    found: `Builds on this machine run as ${description}.`,
    hint: 'If workers run here, install bubblewrap and let it create user namespaces.',
  })
}
