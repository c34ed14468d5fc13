import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { GITHUB_APP_KEY } from '../../../testing/git-hosts/github-host.ts'
import { readSettings } from './env.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-env-'))
afterAll(() => rmSync(folder, { recursive: true }))
const URL = 'postgres://octavo@127.0.0.1/octavo'
const PEPPER = 'a pepper for tests, 32 characters or more'

describe('service settings', () => {
  test('a secret can be read from a file, without its trailing newline', () => {
    const file = join(folder, 'pepper')
    writeFileSync(file, `${PEPPER}\n`)
    const read = readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER_FILE: file })
    expect(read).toMatchObject({ settings: { ownerUrl: URL } })
    expect(read.kind === 'read' && read.settings.pepper.secrets()).toEqual([PEPPER])
  })

  test('several old peppers can be set, and a short one is reported by its position, not its value', () => {
    const read = (peppers: string) =>
      readSettings({
        DATABASE_URL: URL,
        OCTAVO_KEY_PEPPER: PEPPER,
        OCTAVO_OLD_KEY_PEPPERS: peppers,
      })
    const [one, two] = ['a'.repeat(32), 'b'.repeat(44)]
    for (const text of [`${one},${two}`, ` ${one}  ${two}\n`, `${one}, ${two},`]) {
      const found = read(text)
      expect(found.kind === 'read' && found.settings.pepper.secrets()).toEqual([PEPPER, one, two])
    }
    const short = 'canary'.padEnd(31, 'x')
    const wrong = read(`${one},${short}`)
    expect(wrong).toMatchObject({
      reasons: [expect.stringMatching(/^OCTAVO_OLD_KEY_PEPPERS: value 2 has fewer than 32/)],
    })
    expect(JSON.stringify(wrong)).not.toContain('canary')
  })

  test('a missing file is reported together with all other errors', () => {
    const read = readSettings({ OCTAVO_KEY_PEPPER_FILE: join(folder, 'none') })
    expect(read).toEqual({
      kind: 'wrong',
      reasons: [
        expect.stringMatching(/^OCTAVO_KEY_PEPPER_FILE: .*none cannot be read\.$/),
        expect.stringContaining('Invalid DATABASE_URL: expected the URL'),
        expect.stringContaining('Missing OCTAVO_KEY_PEPPER'),
      ],
    })
  })

  test('the GitHub App needs both an id and a key', () => {
    const read = (more: Record<string, string>) =>
      readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })
    const app = {
      OCTAVO_GITHUB_APP_ID: '123456',
      OCTAVO_GITHUB_APP_KEY: GITHUB_APP_KEY.replaceAll('\n', '\\n'),
    }
    expect(read({})).toMatchObject({
      settings: { gitHubApp: undefined, gitHubUrl: 'https://github.com' },
    })
    expect(read(app)).toMatchObject({
      settings: { gitHubApp: { id: '123456', key: GITHUB_APP_KEY, url: 'https://github.com' } },
    })
    const client = {
      OCTAVO_GITHUB_APP_CLIENT_ID: 'Iv1.x',
      OCTAVO_GITHUB_APP_CLIENT_SECRET: 'canary',
    }
    expect(read({ ...app, ...client })).toMatchObject({
      settings: { gitHubApp: { client: { id: 'Iv1.x', secret: 'canary' } } },
    })
    expect(read({ ...app, OCTAVO_GITHUB_APP_CLIENT_ID: 'Iv1.x' })).toMatchObject({
      reasons: [expect.stringContaining('belong together')],
    })
    expect(read(client)).toMatchObject({
      reasons: [expect.stringContaining('needs OCTAVO_GITHUB_APP_ID')],
    })
    expect(read({ OCTAVO_GITHUB_APP_ID: '123456' })).toMatchObject({
      reasons: [expect.stringContaining('belong together')],
    })
    const wrong = read({ ...app, OCTAVO_GITHUB_APP_ID: 'octavo', OCTAVO_GITHUB_APP_KEY: 'canary' })
    expect(wrong).toMatchObject({
      reasons: [
        expect.stringContaining('must be the number of the app'),
        expect.stringContaining('is not a private key in PEM format'),
      ],
    })
    expect(JSON.stringify(wrong)).not.toContain('canary')
  })

  test('vectors are off by default, and an embedding server needs a URL and a model', () => {
    const read = (more: Record<string, string>) =>
      readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })
    expect(read({})).toMatchObject({ settings: { vectors: { mode: 'off' } } })
    expect(read({ OCTAVO_VECTORS: 'local', OCTAVO_VECTORS_WEIGHTS: '/w' })).toMatchObject({
      settings: { vectors: { mode: 'local', weightsFolder: '/w' } },
    })
    const remote = {
      OCTAVO_VECTORS: 'remote',
      OCTAVO_VECTORS_URL: 'http://127.0.0.1:11434',
      OCTAVO_VECTORS_MODEL: 'bge-m3',
      OCTAVO_VECTORS_KEY: 'secret',
    }
    expect(read(remote)).toMatchObject({
      settings: { vectors: { mode: 'remote', model: { model: 'bge-m3', key: 'secret' } } },
    })
    expect(read({ ...remote, OCTAVO_VECTORS_URL: 'nowhere' })).toMatchObject({
      reasons: [
        expect.stringContaining('OCTAVO_VECTORS_URL must be the URL of an embedding server'),
      ],
    })
    expect(read({ OCTAVO_VECTORS: 'remote' })).toMatchObject({
      reasons: ['OCTAVO_VECTORS=remote needs OCTAVO_VECTORS_URL and OCTAVO_VECTORS_MODEL.'],
    })
    expect(read({ OCTAVO_VECTORS: 'yes' })).toMatchObject({
      reasons: ['OCTAVO_VECTORS must be one of off, local, remote.'],
    })
  })

  test('sites need a blob store and a separate domain', () => {
    const read = (more: Record<string, string>) =>
      readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })
    const names = {
      OCTAVO_URL: 'https://octavo.example.com',
      OCTAVO_SITES_DOMAIN: 'docs.example.net',
    }
    expect(read({ ...names, OCTAVO_BLOBS: '/srv/blobs' })).toMatchObject({
      settings: { url: names.OCTAVO_URL, sitesDomain: 'docs.example.net' },
    })
    const previews = { OCTAVO_PREVIEWS_DOMAIN: 'previews.example.org', OCTAVO_BLOBS: '/srv/blobs' }
    expect(read({ ...names, ...previews })).toMatchObject({
      settings: { previewsDomain: 'previews.example.org' },
    })
    expect(read(previews)).toMatchObject({
      reasons: [expect.stringContaining('needs OCTAVO_URL and OCTAVO_SITES_DOMAIN')],
    })
    expect(read(names)).toMatchObject({
      reasons: [expect.stringContaining('OCTAVO_SITES_DOMAIN needs OCTAVO_BLOBS')],
    })
    const shared = {
      ...names,
      OCTAVO_SITES_DOMAIN: 'sites.example.com',
      OCTAVO_BLOBS: '/srv/blobs',
    }
    expect(read(shared)).toMatchObject({
      reasons: [expect.stringContaining('share the domain example.com')],
    })
  })

  test('trusted proxies are networks or addresses, and an address becomes a network of one address', () => {
    const more = { OCTAVO_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1 ::1' }
    const read = readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })
    const trustedProxies = ['10.0.0.0/8', '192.0.2.1/32', '::1/128']
    expect(read).toMatchObject({ settings: { trustedProxies } })
  })

  const readMore = (more: Record<string, string>) =>
    readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })

  test('issuers of identity tokens are read with their names', () => {
    const more = {
      OCTAVO_OIDC_ISSUERS: 'work=https://gitlab.example.com/, ghe=https://g.example/_x',
    }
    expect(readMore(more)).toMatchObject({
      settings: {
        oidcIssuers: [
          { name: 'work', url: 'https://gitlab.example.com' },
          { name: 'ghe', url: 'https://g.example/_x' },
        ],
      },
    })
  })

  test.each([
    'https://a.example',
    'github=https://a.example',
    'a=ftp://a',
    'a=https://a,a=https://b',
  ])('the OCTAVO_OIDC_ISSUERS value %s is rejected', (text) => {
    expect(readMore({ OCTAVO_OIDC_ISSUERS: text })).toMatchObject({
      reasons: [expect.stringContaining('OCTAVO_OIDC_ISSUERS must be a list')],
    })
  })

  test('allowed private hosts are host names or addresses, not URLs', () => {
    expect(readMore({ OCTAVO_ALLOW_PRIVATE_HOSTS: 'api.internal, 10.0.0.5' })).toMatchObject({
      settings: { allowPrivateHosts: ['api.internal', '10.0.0.5'] },
    })
    expect(readMore({ OCTAVO_ALLOW_PRIVATE_HOSTS: 'http://api.internal' })).toMatchObject({
      reasons: [expect.stringContaining('"http://api.internal" is not a host')],
    })
  })
})

describe('sign-in settings', () => {
  const read = (more: Record<string, string>) =>
    readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })
  const provider = {
    id: 'work',
    name: 'Work',
    issuer: 'https://id.example.com/realms/work',
    clientId: 'octavo',
  }
  const readProvider = (change: object) =>
    read({ OCTAVO_SIGN_IN_PROVIDERS: JSON.stringify([{ ...provider, ...change }]) })

  test('sign-in needs no settings, since the operator can create links', () => {
    expect(read({})).toMatchObject({
      settings: {
        signIn: { providers: [], signUp: { kind: 'invited' }, isOidcOnly: false, mail: undefined },
      },
    })
  })

  test('sign-in providers are set as JSON, and a client secret can be in a file', () => {
    const file = join(folder, 'secret')
    writeFileSync(file, 'of the client\n')
    const roles = [{ group: 'docs', organization: 'org_5kbu4k41mpelzrqs', role: 'editor' }]
    expect(readProvider({ clientSecretFile: file, roles })).toMatchObject({
      settings: {
        signIn: {
          providers: [{ id: 'work', clientSecret: 'of the client', groupsClaim: 'groups', roles }],
        },
      },
    })
  })

  test.each<[string, object]>([
    ['0.id: Expected lower-case', { id: 'Work/../x' }],
    ['0.issuer: Expected https:, or http: on this machine.', { issuer: 'http://id.example.com' }],
    [
      '0.roles.0.organization: Expected the id',
      { roles: [{ group: 'x', organization: 'Acme', role: 'owner' }] },
    ],
    [
      '0.roles.0.role',
      { roles: [{ group: 'x', organization: 'org_5kbu4k41mpelzrqs', role: 'king' }] },
    ],
    ['none cannot be read', { clientSecretFile: join(folder, 'none') }],
    ['Unknown field "clientsecret"', { clientsecret: 'canary' }],
  ])('an invalid sign-in provider is reported: %s', (reason, change) => {
    const wrong = readProvider(change)
    expect(wrong).toMatchObject({ reasons: [expect.stringContaining(reason)] })
    expect(JSON.stringify(wrong)).not.toContain('canary')
  })

  test('sign-in providers need unique ids', () => {
    const twice = read({ OCTAVO_SIGN_IN_PROVIDERS: JSON.stringify([provider, provider]) })
    expect(twice).toMatchObject({ reasons: [expect.stringContaining('"work" is used twice')] })
    expect(read({ OCTAVO_SIGN_IN_PROVIDERS: '{' })).toMatchObject({
      reasons: [expect.stringContaining('Expected a JSON array')],
    })
  })

  test('sign-up can be closed, by invitation, or open to e-mail domains', () => {
    const signUp = (text: string) => read({ OCTAVO_SIGN_UP: text })
    expect(signUp('closed')).toMatchObject({ settings: { signIn: { signUp: { kind: 'closed' } } } })
    expect(signUp('Example.com, example.org')).toMatchObject({
      settings: { signIn: { signUp: { domains: ['example.com', 'example.org'] } } },
    })
    for (const wrong of ['open', '*', '@example.com', ''])
      expect(signUp(wrong)).toMatchObject({ reasons: [expect.stringContaining('OCTAVO_SIGN_UP')] })
  })

  test('sign-in settings are rejected if another setting that they need is missing', () => {
    const smtp = { OCTAVO_SMTP_URL: 'smtps://a:b@mail.example.com' }
    expect(read(smtp)).toMatchObject({ reasons: [expect.stringContaining('belong together')] })
    expect(read({ ...smtp, OCTAVO_MAIL_FROM: 'Octavo <a@example.com>' })).toMatchObject({
      settings: { signIn: { mail: { from: 'Octavo <a@example.com>' } } },
    })
    expect(read({ ...smtp, OCTAVO_MAIL_FROM: 'octavo' })).toMatchObject({
      reasons: [expect.stringContaining('OCTAVO_MAIL_FROM must be an e-mail address')],
    })
    expect(read({ OCTAVO_OIDC_ONLY: 'true' })).toMatchObject({
      reasons: [expect.stringContaining('sign-in would be impossible')],
    })
  })

  test('traces are only sent if the standard OpenTelemetry variables are set', () => {
    const read = (more: Record<string, string>) =>
      readSettings({ DATABASE_URL: URL, OCTAVO_KEY_PEPPER: PEPPER, ...more })
    const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT'
    const headers = 'OTEL_EXPORTER_OTLP_HEADERS'
    expect(read({})).toMatchObject({ settings: { traces: undefined } })
    expect(read({ [endpoint]: '', [headers]: 'a=b' })).toMatchObject({
      settings: { traces: undefined },
    })
    expect(read({ [endpoint]: 'http://127.0.0.1:4318' })).toMatchObject({
      settings: {
        traces: { url: 'http://127.0.0.1:4318/v1/traces', headers: {}, serviceName: 'octavo' },
      },
    })
    const all = {
      [endpoint]: 'https://otlp.example.com/tenant/',
      [headers]: 'Authorization=Basic%20YTpi, x-team=docs=1',
      OTEL_SERVICE_NAME: 'docs',
    }
    expect(read(all)).toMatchObject({
      settings: {
        traces: {
          url: 'https://otlp.example.com/tenant/v1/traces',
          headers: { authorization: 'Basic YTpi', 'x-team': 'docs=1' },
          serviceName: 'docs',
        },
      },
    })
    for (const wrong of ['collector:4317', 'grpc://collector', 'https://u:p@host', 'http://h?k=v'])
      expect(read({ [endpoint]: wrong })).toMatchObject({
        reasons: [
          expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT must be the URL of a collector/),
        ],
      })
    for (const wrong of ['canary', 'a b=canary', 'a=canary%', 'a=canary%0Ax', '=canary']) {
      const result = read({ ...all, [headers]: wrong })
      expect(result).toMatchObject({
        reasons: [expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS must be a list/)],
      })
      expect(JSON.stringify(result)).not.toContain('canary')
    }
  })
})
