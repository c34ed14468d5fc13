import { expect, test } from 'vitest'
import { deployFromMachine, deployWithKey, octavoCommand } from './octavo-command.ts'

const url = 'https://octavo.example.com'
const commandLineUrl = `${url}/cli/octavo-0.1.0.tgz`

test('commands run the CLI package of this service, never one from a registry', () => {
  expect(octavoCommand({ url, commandLineUrl }, 'deploy', 'prj_1')).toBe(
    'npx https://octavo.example.com/cli/octavo-0.1.0.tgz deploy --service https://octavo.example.com --project prj_1',
  )
  // Without a built package, npx would install another publisher's package from a registry.
  expect(octavoCommand({ url }, 'login')).toBe('octavo login --service https://octavo.example.com')
})

test('the commands for people sign in first, and the command for programs sets the key for itself only', () => {
  const [login, deploy] = deployFromMachine({ url, commandLineUrl }, 'prj_1').split('\n')
  expect(login).toContain('.tgz login --service')
  expect(deploy).toContain('.tgz deploy --service')
  expect(deployWithKey({ url, commandLineUrl }, 'prj_1', 'octavo_adm_x')).toMatch(
    /^OCTAVO_API_KEY=octavo_adm_x npx https:\S+ deploy .*--project prj_1$/,
  )
})
