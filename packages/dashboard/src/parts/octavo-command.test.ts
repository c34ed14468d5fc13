import { expect, test } from 'vitest'
import { deployFromHere, deployWithKey, octavoCommand } from './octavo-command.ts'

const url = 'https://octavo.example.com'
const commandLineUrl = `${url}/cli/octavo-0.1.0.tgz`

test('commands run the package of this service, never one of a registry', () => {
  expect(octavoCommand({ url, commandLineUrl }, 'deploy', 'prj_1')).toBe(
    'npx https://octavo.example.com/cli/octavo-0.1.0.tgz deploy --service https://octavo.example.com --project prj_1',
  )
  // Where the package was not built, npx would ask a registry for a package of another publisher.
  expect(octavoCommand({ url }, 'login')).toBe('octavo login --service https://octavo.example.com')
})

test('a person signs in first; a program has its key for one command', () => {
  const [login, deploy] = deployFromHere({ url, commandLineUrl }, 'prj_1').split('\n')
  expect(login).toContain('.tgz login --service')
  expect(deploy).toContain('.tgz deploy --service')
  expect(deployWithKey({ url, commandLineUrl }, 'prj_1', 'octavo_adm_x')).toMatch(
    /^OCTAVO_API_KEY=octavo_adm_x npx https:\S+ deploy .*--project prj_1$/,
  )
})
