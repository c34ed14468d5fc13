import { describe, expect, test } from 'vitest'
import { ENVIRONMENT_NAMES, findUnknownVariables, readSettings } from './env.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://octavo@127.0.0.1/octavo',
  OCTAVO_KEY_PEPPER: 'a pepper for tests, 32 characters or more',
}
const ASSISTANT = { OCTAVO_ASSISTANT_URL: 'http://m', OCTAVO_ASSISTANT_MODEL: 'm' }
const VECTORS = {
  OCTAVO_VECTORS: 'remote',
  OCTAVO_VECTORS_URL: 'http://m',
  OCTAVO_VECTORS_MODEL: 'm',
}
const PROVIDER = { id: 'work', name: 'Work', issuer: 'https://id.example.com', clientId: 'octavo' }
const providers = (change: object) => JSON.stringify([{ ...PROVIDER, ...change }])
const NUMBERS = ['', ' ', 'x', '-1', '1.5', '1e3', '0x10', '99999999999999999999']

/** Invalid values of each variable, and other variables that it depends on. */
const INVALID: Readonly<Record<string, readonly [values: readonly string[], others?: object]>> = {
  DATABASE_URL: [['', 'x', 'mysql://h/d']],
  DATABASE_OWNER_URL: [['', 'x', 'http://h']],
  DATABASE_DIRECT_URL: [['', 'x', 'http://h']],
  DATABASE_REPLICA_URL: [['', 'x', 'http://h']],
  OCTAVO_KEY_PEPPER: [['', 'too short']],
  OCTAVO_OLD_KEY_PEPPERS: [['too short', 'x, y']],
  OCTAVO_SECRET_KEYS: [['x', '1:', '1:AAAA', ':AAAA']],
  OCTAVO_BLOBS: [['', 's3://', 's3://UPPER', 'gs://bucket']],
  OCTAVO_S3_ENDPOINT: [['', 'minio', 'ftp://h']],
  AWS_REGION: [['']],
  AWS_ACCESS_KEY_ID: [['']],
  AWS_SECRET_ACCESS_KEY: [['']],
  OCTAVO_URL: [['', 'octavo.example.com', 'ftp://h']],
  OCTAVO_SITES_DOMAIN: [['', 'https://sites.example.net', 'localhost', '*.example.net']],
  OCTAVO_PREVIEWS_DOMAIN: [['', 'https://previews.example.org', 'localhost']],
  OCTAVO_WORK_FOLDER: [['']],
  OCTAVO_HOST_CACHE_MB: [[...NUMBERS, '15', '65537']],
  HOST: [['', 'http://0.0.0.0', '0.0.0.0/0', 'a b']],
  PORT: [[...NUMBERS, '65536']],
  OCTAVO_ADMIN_HOST: [['', 'http://0.0.0.0', '*']],
  OCTAVO_ADMIN_PORT: [[...NUMBERS, '65536']],
  OCTAVO_TRUSTED_PROXIES: [['proxy', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/x', '/8']],
  OCTAVO_READ_ONLY: [['', 'maybe', '2']],
  OCTAVO_ALLOW_PRIVATE_HOSTS: [['http://api.internal', 'a/b']],
  OCTAVO_DNS_SERVERS: [['dns.example.com', '1.1.1', '1.1.1.1:x']],
  OCTAVO_OIDC_ISSUERS: [['https://a.example', 'github=https://a.example']],
  OCTAVO_SIGN_IN_PROVIDERS: [
    [
      ...['{', '{}', '1', '[1]', '[{}]', 'null'],
      providers({ id: 1 }),
      providers({ name: '' }),
      providers({ name: 'x'.repeat(61) }),
      providers({ issuer: 'work' }),
      providers({ clientId: null }),
      providers({ clientSecret: '' }),
      providers({ scopes: 'openid' }),
      providers({ allowedDomains: ['x'] }),
      providers({ newPeople: 'yes' }),
      providers({ roles: {} }),
      providers({ roles: [{ group: 'x', organization: 'org_5kbu4k41mpelzrqs', role: 'king' }] }),
      providers({ roles: [1] }),
      providers({ more: 1 }),
    ],
  ],
  OCTAVO_SIGN_UP: [['', 'open', '@example.com']],
  OCTAVO_OIDC_ONLY: [['', 'maybe']],
  OCTAVO_SMTP_URL: [['', 'mail.example.com', 'http://h']],
  OCTAVO_MAIL_FROM: [['', 'octavo']],
  OCTAVO_GITHUB_URL: [['', 'github.com']],
  OCTAVO_GITHUB_APP_ID: [['', 'octavo', '1'.repeat(21)]],
  OCTAVO_GITHUB_APP_KEY: [['', 'canary']],
  OCTAVO_GITHUB_APP_WEBHOOK_SECRET: [['', 'short']],
  OCTAVO_GITHUB_APP_CLIENT_ID: [['']],
  OCTAVO_GITHUB_APP_CLIENT_SECRET: [['']],
  OCTAVO_ASSISTANT_URL: [['', 'api.openai.com', `http://${'h'.repeat(500)}`], ASSISTANT],
  OCTAVO_ASSISTANT_MODEL: [['', 'm'.repeat(201)], ASSISTANT],
  OCTAVO_ASSISTANT_FORMAT: [['', 'gpt'], ASSISTANT],
  OCTAVO_ASSISTANT_KEY: [['']],
  OCTAVO_ASSISTANT_CONTEXT_TOKENS: [[...NUMBERS, '2047', '2000001']],
  OCTAVO_ASSISTANT_TOOLS: [['', 'maybe']],
  OCTAVO_ASSISTANT_TOKENS_PER_DAY: [NUMBERS],
  OCTAVO_ASSISTANT_TOKENS_PER_MONTH: [NUMBERS],
  OCTAVO_VECTORS: [['', 'yes']],
  OCTAVO_VECTORS_WEIGHTS: [['']],
  OCTAVO_VECTORS_URL: [['', 'x'], VECTORS],
  OCTAVO_VECTORS_MODEL: [['', 'm'.repeat(201)], VECTORS],
  OCTAVO_VECTORS_KEY: [['']],
  OCTAVO_REQUESTS_PER_HOUR: [[...NUMBERS, '0']],
  OCTAVO_DATABASE_CONNECTIONS: [[...NUMBERS, '0', '101']],
  OTEL_EXPORTER_OTLP_ENDPOINT: [['collector:4317', 'grpc://collector']],
  OTEL_EXPORTER_OTLP_HEADERS: [['canary']],
  OTEL_SERVICE_NAME: [['x'.repeat(101)]],
}

/** Messages of the validation library, which operators should not see. */
const VALIDATOR =
  /Invalid (?:input|option|string|URL)|expected \w+, received|Too (?:big|small)|Unrecognized key|NaN/
/** Matches a message with the allowed values, an example, or a command that generates a value. */
const EXPECTED =
  /such as |Generate one with|true or false|must be one of|must be \w+ or \w+\.|Expected the |closed, invited/

describe('invalid environment variables', () => {
  test('this test has invalid values for every environment variable', () => {
    expect(Object.keys(INVALID).toSorted()).toEqual(ENVIRONMENT_NAMES.toSorted())
  })

  const cases = Object.entries(INVALID).flatMap(([name, [values, others]]) =>
    values.map((value) => [name, value, others] as const),
  )
  test.each(cases)('the error message for %s=%s says what is expected', (name, value, others) => {
    const read = readSettings({ ...REQUIRED, ...others, [name]: value })
    expect(read.kind).toBe('wrong')
    const reasons = read.kind === 'wrong' ? read.reasons : []
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).toContain(name)
    expect(reasons[0]).toMatch(EXPECTED)
    expect(reasons[0]).not.toMatch(VALIDATOR)
  })

  test('all invalid values are reported at once', () => {
    const read = readSettings({ PORT: 'x', OCTAVO_ADMIN_PORT: 'y', OCTAVO_READ_ONLY: 'z' })
    expect(read).toMatchObject({ kind: 'wrong', reasons: { length: 5 } })
  })

  test.each([
    ['PORT', '0'],
    ['PORT', '65535'],
    ['OCTAVO_HOST_CACHE_MB', '16'],
    ['OCTAVO_HOST_CACHE_MB', '65536'],
    ['OCTAVO_DATABASE_CONNECTIONS', '1'],
    ['OCTAVO_DATABASE_CONNECTIONS', '100'],
    ['OCTAVO_ASSISTANT_CONTEXT_TOKENS', '2048'],
    ['OCTAVO_ASSISTANT_TOKENS_PER_DAY', '0'],
    ['OCTAVO_REQUESTS_PER_HOUR', '1'],
    ['HOST', '::'],
    ['HOST', 'localhost'],
    ['OCTAVO_TRUSTED_PROXIES', '10.0.0.0/32, ::1/128, fd00::/8'],
    ['OTEL_SERVICE_NAME', 'x'.repeat(100)],
  ])('the boundary value %s=%s is valid', (name, value) => {
    expect(readSettings({ ...REQUIRED, [name]: value }).kind).toBe('read')
  })
})

describe('unknown environment variables', () => {
  test('the closest known name is suggested for an unknown variable, also with _FILE', () => {
    const found = findUnknownVariables({
      OCTAVO_SITE_DOMAIN: 'x',
      OCTAVO_KEY_PEPER_FILE: 'x',
      OCTAVO_WHATEVER_ELSE: 'x',
    })
    expect(found).toEqual([
      expect.stringContaining('OCTAVO_KEY_PEPER_FILE is not a variable of octavo-service'),
      expect.stringContaining('OCTAVO_SITE_DOMAIN is not a variable of octavo-service'),
      expect.stringContaining('`octavo-service --help` lists all variables'),
    ])
    expect(found[0]).toContain('Did you mean `OCTAVO_KEY_PEPPER_FILE`?')
    expect(found[1]).toContain('Did you mean `OCTAVO_SITES_DOMAIN`?')
  })

  test('variables of the service, the CLI, Compose and other programs are not reported', () => {
    const all = ENVIRONMENT_NAMES.flatMap((name) => [name, `${name}_FILE`])
    const others = ['OCTAVO_API_KEY', 'OCTAVO_DATABASE_PASSWORD', 'PATH', 'NODE_ENV']
    const values = Object.fromEntries([...all, ...others].map((name) => [name, 'x']))
    expect(findUnknownVariables(values)).toEqual([])
  })
})
