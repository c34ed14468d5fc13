import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { SELF_SIGNED } from '../../../../outbound/testing/self-signed.ts'
import { createSshKey, startSshServer } from '../../../testing/ssh-server.ts'
import { openTrialGit, type ServedRepository } from '../../../testing/trial-git.ts'
import { PLAIN_ISOLATION } from '../sandbox/isolation.ts'
import type { GitRemote } from './git.ts'
import { parseGitAddress } from './git-address.ts'
import { openGitSession } from './git-session.ts'
import { openGit } from './open-git.ts'

const trial = await openTrialGit()
const plain = await openTrialGit({ isolation: PLAIN_ISOLATION })
const { git, server, newRepository, checkOut } = trial
const { signal } = new AbortController()
const ssh = await startSshServer(`${trial.folder}/ssh`)
const key = createSshKey(trial.folder, 'deploy')
const otherKey = createSshKey(trial.folder, 'other')

afterEach(() => {
  for (const { server } of [trial, plain]) {
    server.credential = undefined
    server.intercept = () => false
  }
})
afterAll(() => {
  ssh.close()
  trial.close()
  plain.close()
})

const withToken = (url: string, token: string): GitRemote => ({
  url,
  credential: { kind: 'token', username: 'octavo', token },
})
const withKey = ({ path }: ServedRepository, privateKey: string, cacheKey: string): GitRemote => ({
  url: `ssh://${ssh.user}@127.0.0.1:${ssh.port}${path}`,
  credential: { kind: 'ssh-key', privateKey },
  cacheKey,
})
const anyone = (url: string): GitRemote => ({ url, credential: { kind: 'none' } })

describe('Git access with a token', () => {
  test('a valid token has access to the repository; a wrong, revoked or missing one does not', async () => {
    const repository = newRepository()
    const commit = repository.commit({ a: '1' })
    server.credential = 'octavo:canary-right'
    const right = withToken(repository.url, 'canary-right')
    expect((await git.listRefs(right, signal)).kind).toBe('refs')
    expect((await checkOut(repository, commit, { remote: right })).outcome.kind).toBe('checkout')
    const wrong = withToken(repository.url, 'canary-wrong')
    const refused = { kind: 'failed', code: 'credentials', isFinal: true }
    const outcomes = [
      await git.listRefs(wrong, signal),
      (await checkOut(repository, commit, { remote: wrong })).outcome,
      await git.listRefs(anyone(repository.url), signal),
    ]
    for (const outcome of outcomes) expect(outcome).toMatchObject(refused)
    expect(JSON.stringify(outcomes)).not.toContain('canary')
    server.credential = 'octavo:another'
    expect((await checkOut(repository, commit, { remote: right })).outcome).toMatchObject(refused)
  })

  test.each([
    ['bubblewrap', trial],
    ['plain processes', plain],
  ])(
    'no command line or environment contains the token while Git runs in %s',
    async (_, { git, server, newRepository }) => {
      const { url } = newRepository()
      server.credential = 'octavo:canary-in-processes'
      const { promise: isWaiting, resolve } = Promise.withResolvers<void>()
      server.intercept = (request) => {
        const isSignedIn = request.headers.authorization !== undefined
        if (isSignedIn) resolve()
        return isSignedIn
      }
      const abort = new AbortController()
      const listing = git.listRefs(withToken(url, 'canary-in-processes'), abort.signal)
      await isWaiting
      const texts = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((id) => [`/proc/${id}/cmdline`, `/proc/${id}/environ`].map(readQuietly))
      const encoded = Buffer.from('octavo:canary-in-processes').toString('base64')
      expect(texts.some((text) => text.includes('git-remote-http'))).toBe(true)
      expect(texts.filter((text) => text.includes('canary-in-processes'))).toEqual([])
      expect(texts.filter((text) => text.includes(encoded))).toEqual([])
      abort.abort()
      await expect(listing).rejects.toThrow('aborted')
      const left = ['/dev/shm', tmpdir()].flatMap((parent) =>
        readdirSync(parent)
          .filter((name) => name.startsWith('octavo-git-'))
          .map((name) => readQuietly(join(parent, name, 'credential'))),
      )
      expect(left.filter((text) => text.includes('canary-in-processes'))).toEqual([])
    },
  )
})

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

test('the credentials of a killed process are deleted at the next start', async () => {
  const { pid = 0 } = spawnSync('true')
  const [left, used] = [pid, process.pid].map((id) => join('/dev/shm', `octavo-git-${id}-abc`))
  for (const path of [left, used]) mkdirSync(path ?? '')
  await openGit({ folder: join(trial.folder, 'again'), allowPrivateHosts: [] })
  expect([left, used].map((path) => existsSync(path ?? ''))).toEqual([false, true])
  rmdirSync(used ?? '')
})

test('symbolic links in the folder that sandboxed processes can write to are not followed', async () => {
  const knownHosts = join(trial.folder, 'known_hosts')
  const address = parseGitAddress(anyone('git@127.0.0.1:a.git'), [])
  if (address.kind === 'failed') throw new Error(address.message)
  const session = await openGitSession({
    address,
    credential: { kind: 'none' },
    allowPrivateHosts: [],
    bytesMax: 1,
    knownHosts,
  })
  // An attacker who controls ssh could create this link, to read the secrets in the service's
  // environment.
  symlinkSync('/proc/self/environ', join(session.writable[0] ?? '', 'known_hosts'))
  await session.close()
  expect(existsSync(knownHosts)).toBe(false)
})

describe('Git access with a deploy key', () => {
  test('an authorized deploy key has access to the repository; other keys do not', async () => {
    ssh.authorize([key.publicKey])
    const repository = newRepository()
    const commit = repository.commit({ 'docs/a': '1' })
    const remote = withKey(repository, key.privateKey, repository.cacheKey)
    expect(await git.listRefs(remote, signal)).toMatchObject({ defaultBranch: 'main' })
    const { outcome, files } = await checkOut(repository, commit, { remote, folder: 'docs' })
    expect(outcome.kind).toBe('checkout')
    expect(files).toEqual(['a'])
    const refused = { kind: 'failed', code: 'credentials', isFinal: true }
    const wrong = withKey(repository, otherKey.privateKey, repository.cacheKey)
    expect(await git.listRefs(wrong, signal)).toMatchObject(refused)
    const broken = withKey(repository, 'no key at all', repository.cacheKey)
    expect(await git.listRefs(broken, signal)).toMatchObject(refused)
    ssh.authorize([])
    expect((await checkOut(repository, commit, { remote })).outcome).toMatchObject(refused)
  })

  test('a deploy key works when Git runs in plain processes without a sandbox', async () => {
    ssh.authorize([key.publicKey])
    const repository = plain.newRepository()
    const commit = repository.commit({ a: '1' })
    const remote = withKey(repository, key.privateKey, repository.cacheKey)
    const { outcome } = await plain.checkOut(repository, commit, { remote })
    expect(outcome.kind).toBe('checkout')
  })

  test('a repository that does not exist is reported as not found over ssh', async () => {
    ssh.authorize([key.publicKey])
    const repository = newRepository()
    const remote = withKey({ ...repository, path: '/nowhere' }, key.privateKey, 'missing')
    expect(await git.listRefs(remote, signal)).toMatchObject({ code: 'not-found' })
  })

  test('a deploy key is not sent to a server whose host key has changed', async () => {
    ssh.authorize([key.publicKey])
    const repository = newRepository()
    const commit = repository.commit({ a: '1' })
    const remote = withKey(repository, key.privateKey, repository.cacheKey)
    expect((await git.listRefs(remote, signal)).kind).toBe('refs')
    await ssh.changeHostKey()
    const refused = { code: 'refused', message: expect.stringContaining('host key') }
    expect(await git.listRefs(remote, signal)).toMatchObject(refused)
    expect((await checkOut(repository, commit, { remote })).outcome).toMatchObject(refused)
    // This happens when the owner adds the connection again, which confirms the new host key.
    await git.removeCache(repository.cacheKey)
    expect((await git.listRefs(remote, signal)).kind).toBe('refs')
  })
})

describe('Git network access', () => {
  test.each([
    ['the metadata address', 'http://169.254.169.254/latest/meta-data', /public internet/],
    ['a private address', 'https://10.0.0.1/a.git', /public internet/],
    ['loopback by another name', 'https://localhost/a.git', /public internet/],
    ['ssh to a private address', 'git@192.168.0.1:a.git', /public internet/],
    ['a port of a database', 'https://8.8.8.8:5432/a.git', /port 5432/],
  ])('a connection to %s is rejected', async (_, url, message) => {
    expect(await git.listRefs(anyone(url), signal)).toMatchObject({
      code: 'refused',
      isFinal: true,
      message: expect.stringMatching(message),
    })
  })

  test('a redirect to another path on the same server is followed', async () => {
    const repository = newRepository()
    repository.commit({ a: '1' })
    const moved = repository.url.replace(/\.git$/, '')
    server.intercept = (request, response) => {
      const isOld = !request.url?.includes('.git/')
      const location = `${repository.url}/info/refs?service=git-upload-pack`
      if (isOld) response.writeHead(301, { location }).end()
      return isOld
    }
    expect((await git.listRefs(anyone(moved), signal)).kind).toBe('refs')
  })

  test('a redirect to another server is rejected without sending a request to it', async () => {
    let requests = 0
    const other = createServer((_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { url } = newRepository()
    for (const target of [`http://127.0.0.1:${port}`, 'http://169.254.169.254']) {
      server.intercept = (request, response) => {
        response.writeHead(301, { location: `${target}${request.url}` }).end()
        return true
      }
      const outcome = await git.listRefs(withToken(url, 'secret'), signal)
      expect(outcome).toMatchObject({
        code: 'refused',
        message: expect.stringContaining('redirects'),
      })
    }
    expect(requests).toBe(0)
    other.close()
  })

  test('unreachable, failing and missing repositories have different error codes', async () => {
    const { url } = newRepository()
    const gone = 'http://127.0.0.1:1/a.git'
    expect(await git.listRefs(anyone(gone), signal)).toMatchObject({
      code: 'unreachable',
      isFinal: false,
    })
    const unknown = 'https://no-such-host.invalid/a.git'
    expect(await git.listRefs(anyone(unknown), signal)).toMatchObject({ code: 'unreachable' })
    expect(await git.listRefs(anyone(`${server.url}/none.git`), signal)).toMatchObject({
      code: 'not-found',
    })
    server.intercept = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    expect(await git.listRefs(anyone(url), signal)).toMatchObject({ code: 'unreachable' })
  })

  test('a self-signed certificate is rejected before any request is sent', async () => {
    let requests = 0
    const tls = createTlsServer(SELF_SIGNED, (_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
    const { port } = tls.address() as AddressInfo
    const remote = withToken(`https://127.0.0.1:${port}/a.git`, 'secret')
    expect(await git.listRefs(remote, signal)).toMatchObject({
      code: 'unreachable',
      message: 'The TLS certificate of 127.0.0.1 is not valid.',
    })
    expect(requests).toBe(0)
    tls.close()
  })

  test('ref names and ids that Git itself would not write are ignored', async () => {
    const liar = await openTrialGit()
    const packet = (text: string) =>
      (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
    const id = 'a'.repeat(40)
    const lines = [
      ...['\u001b[2Jx', 'a\u0007', '../../x', 'a..b', 'a//b', 'x.lock', '.x', 'a@{1}', 'a~1'],
      // Contains a line break, which adds a second line to the output.
      `b\nnot-an-id\trefs/heads/c`,
      ...['--upload-pack=x', 'HEAD', 'main'],
    ].map((name) => packet(`${id} refs/heads/${name}\n`))
    liar.server.intercept = ({ url }, response) => {
      const abilities = ['version 2\n', 'ls-refs\n', 'fetch\n'].map(packet).join('')
      const isFirst = url?.includes('/info/refs') === true
      const type = `application/x-git-upload-pack-${isFirst ? 'advertisement' : 'result'}`
      response.setHeader('content-type', type)
      const service = packet('# service=git-upload-pack\n')
      response.end(isFirst ? `${service}0000${abilities}0000` : `${lines.join('')}0000`)
      return true
    }
    const { url } = liar.newRepository()
    expect(await liar.git.listRefs(anyone(url), signal)).toMatchObject({
      branches: new Map(['b', '--upload-pack=x', 'HEAD', 'main'].map((name) => [name, id])),
    })
    liar.close()
  })

  test('a Git server that never responds causes a timeout', async () => {
    const slow = await openTrialGit({ limits: { listSecondsMax: 1 } })
    slow.server.intercept = () => true
    const { url } = slow.newRepository()
    expect(await slow.git.listRefs(anyone(url), signal)).toMatchObject({ code: 'timeout' })
    slow.close()
  })
})
