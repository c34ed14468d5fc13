/** The oldest supported Node version, the same as in the package's `engines`. */
export const NODE_VERSION_MIN = '22.18'

/** Returns the reason why this Node version cannot run Octavo; undefined if it can. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [majorMin = 0, minorMin = 0] = NODE_VERSION_MIN.split('.').map(Number)
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return undefined
  return `Octavo needs Node ${NODE_VERSION_MIN} or newer, but this is Node ${version}. Install a newer version from https://nodejs.org.`
}
