import { expect, test } from 'vitest'
import { nodeVersionProblem } from './node-version.ts'

test.each(['22.18.0', '22.19.1', '23.0.0', '24.21.0', '100.0.0'])(
  'Node %s is supported',
  (version) => {
    expect(nodeVersionProblem(version)).toBeUndefined()
  },
)

test.each(['20.20.0', '22.17.9', '18.0.0'])(
  'Node %s is rejected with a message about the required version',
  (version) => {
    expect(nodeVersionProblem(version)).toBe(
      `Octavo needs Node 22.18 or newer, but this is Node ${version}. Install a newer version from https://nodejs.org.`,
    )
  },
)
