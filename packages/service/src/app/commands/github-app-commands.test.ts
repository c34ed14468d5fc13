import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { GITHUB_APP_KEY, startGitHubHost } from '../../../testing/git-hosts/github-host.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { runCommand } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-app-'))
const host = await startGitHubHost({ repository: 'acme/docs', token: 'none' })
const service = await startTestService({ allowPrivateHosts: ['127.0.0.1'], gitHubUrl: host.url })
afterAll(async () => {
  await service.stop()
  host.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(url: string | undefined, ...args: string[]): Promise<string> {
  const lines: string[] = []
  const settings = { ...service.settings, url }
  await runCommand(['github-app', ...args], {
    settings,
    print: (line) => lines.push(line),
    now: Date.now,
  })
  return lines.join('\n')
}
const URL_OF_SERVICE = 'https://octavo.example.com'

describe('github-app create', () => {
  test('`github-app create` prints the manifest and steps, and writes a form that submits it', async () => {
    const file = join(folder, 'app.html')
    const text = await run(URL_OF_SERVICE, 'create', '--organization', 'acme', '-o', file)
    expect(JSON.parse(text.slice(0, text.indexOf('\n\n')))).toEqual({
      name: 'Octavo',
      url: URL_OF_SERVICE,
      hook_attributes: { url: `${URL_OF_SERVICE}/v1/hooks/github-app`, active: true },
      redirect_url: URL_OF_SERVICE,
      callback_urls: [`${URL_OF_SERVICE}/connect/github`],
      setup_url: `${URL_OF_SERVICE}/connect/github`,
      setup_on_update: true,
      request_oauth_on_install: true,
      public: false,
      default_permissions: {
        contents: 'read',
        metadata: 'read',
        checks: 'write',
        pull_requests: 'write',
      },
      default_events: ['push', 'pull_request'],
    })
    const html = readFileSync(file, 'utf8')
    expect(html).toContain(`action="${host.url}/organizations/acme/settings/apps/new"`)
    expect(html).toContain('&quot;default_events&quot;')
    expect(text).toContain('github-app exchange <code>')
  })

  test('`github-app create` needs OCTAVO_URL', async () => {
    await expect(run(undefined, 'create')).rejects.toThrow('OCTAVO_URL is not set')
  })
})

describe('github-app exchange', () => {
  test('`github-app exchange` writes a key file that only its owner can read and prints the settings', async () => {
    const file = join(folder, 'key.pem')
    const text = await run(URL_OF_SERVICE, 'exchange', 'goodcode', '-o', file)
    expect(readFileSync(file, 'utf8')).toBe(GITHUB_APP_KEY)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(text).toContain(`OCTAVO_GITHUB_APP_ID=31337\nOCTAVO_GITHUB_APP_KEY_FILE=${file}\n`)
    expect(text).toContain('OCTAVO_GITHUB_APP_WEBHOOK_SECRET=whsecret-canary')
    expect(text).toContain(
      'OCTAVO_GITHUB_APP_CLIENT_ID=Iv1.x\nOCTAVO_GITHUB_APP_CLIENT_SECRET=client-canary\n',
    )
    expect(text).not.toMatch(/PRIVATE KEY/)
  })

  test('`github-app exchange` rejects unknown and malformed codes', async () => {
    const file = join(folder, 'none.pem')
    await expect(run(URL_OF_SERVICE, 'exchange', 'badcode', '-o', file)).rejects.toThrow(
      'GitHub does not recognize this code',
    )
    await expect(run(URL_OF_SERVICE, 'exchange', 'a/b', '-o', file)).rejects.toThrow('Invalid code')
    await expect(run(URL_OF_SERVICE, 'exchange', 'goodcode')).rejects.toThrow('Missing -o')
  })
})
