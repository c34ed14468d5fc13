import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestBuilds } from '../../../testing/test-builds.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { findAppTenants, verifyAppDelivery } from './github-app-hook.ts'

const SECRET = 'a secret of the app'
const sign = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const verify = (body: string, signature: string | undefined) =>
  verifyAppDelivery(SECRET, signature, Buffer.from(body))

const PUSH = JSON.stringify({
  ref: 'refs/heads/main',
  installation: { id: 4242 },
  repository: { full_name: 'Acme/docs' },
})

describe('deliveries of the GitHub App', () => {
  test('a delivery with a valid signature is accepted and read', () => {
    expect(verify(PUSH, sign(PUSH))).toEqual({
      kind: 'delivery',
      delivery: { installationId: '4242', repository: 'Acme/docs' },
    })
  })

  test.each<[string, string, string | undefined]>([
    ['no signature', PUSH, undefined],
    ['a signature of another secret', PUSH, sign(PUSH, 'other')],
    ['a signature of another body', `${PUSH} `, sign(PUSH)],
    ['a truncated signature', PUSH, sign(PUSH).slice(0, -2)],
    ['a SHA-1 signature', PUSH, `sha1=${'0'.repeat(40)}`],
    ['a body that is not JSON', '{', sign('{')],
  ])('a delivery with %s is rejected', (_, body, signature) => {
    expect(verify(body, signature)).toMatchObject({ kind: 'refused' })
  })

  test('a delivery without a repository is ignored', () => {
    const ping = JSON.stringify({ zen: 'x', webhook_id: 1 })
    expect(verify(ping, sign(ping))).toEqual({ kind: 'ignored' })
  })
})

describe('the projects of a delivery', async () => {
  const service = await startTestService()
  afterAll(() => service.stop())
  test('a delivery belongs to all projects with its repository and installation', async () => {
    const connect = async (url: string, installationId: string) => {
      const project = await service.createProject()
      await createTestBuilds(service, project, []).connect({
        provider: 'github',
        url,
        installationId,
      })
      return project.tenant
    }
    const first = await connect('https://github.com/acme/docs.git', '1')
    const second = await connect('https://github.com/Acme/Docs', '1')
    await connect('https://github.com/acme/other', '1')
    await connect('https://github.com/acme/docs', '2')
    const { database } = service.service
    const delivery = { installationId: '1', repository: 'acme/docs' }
    const tenants = await findAppTenants(database, delivery)
    expect(new Set(tenants)).toEqual(new Set([first, second]))
    expect(await findAppTenants(database, { ...delivery, installationId: '3' })).toEqual([])
  })
})
