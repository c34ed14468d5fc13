/** Tests that the files in `deploy/` agree with the service and with each other. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseEnv } from 'node:util'
import { load, YAML11_SCHEMA } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { printEnvironment } from '../packages/service/src/app/commands/setup/print-environment.ts'
import { runSetup } from '../packages/service/src/app/commands/setup/run-setup.ts'
import type { Role } from '../packages/service/src/app/roles/service.ts'
import { ENVIRONMENT_NAMES, readSettings } from '../packages/service/src/app/settings/env.ts'
import { freePort } from '../packages/service/testing/start-postgres.ts'

type Service = {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly mem_limit: string
  readonly restart?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}
type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { ipam?: { config: { subnet: string }[] } }>>
  readonly volumes: Readonly<Record<string, null>>
}

const ROOT = join(import.meta.dirname, '..')
const DEPLOY = join(ROOT, 'deploy')
const read = (file: string) => readFileSync(join(DEPLOY, file), 'utf8')
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const KEY = `1:${Buffer.alloc(32).toString('base64')}`
const compose = load(read('compose.yaml'), { schema: YAML11_SCHEMA }) as Compose
const dockerfile = read('Dockerfile')
/**
 * The roles. The list uses only the type of the service, because loading the service takes seconds.
 */
const ROLES = Object.keys({ api: 1, worker: 1, host: 1, all: 1 } satisfies Record<Role, 1>)
/** Variables that only compose.yaml uses. */
const COMPOSE_NAMES = [
  ...['OCTAVO_DATABASE_PASSWORD', 'OCTAVO_IMAGE', 'OCTAVO_SUBNET', 'CERTIFICATE_ISSUER'],
]

/** Returns the `NAME=value` lines of a file, with commented-out lines if requested. */
function readEnvFile(file: string, withComments = false): Record<string, string> {
  const line = withComments ? /^#?([A-Z][A-Z\d_]*)=(.*)$/gm : /^([A-Z][A-Z\d_]*)=(.*)$/gm
  return Object.fromEntries([...read(file).matchAll(line)].map(([, name, value]) => [name, value]))
}

/** Fills in an example file as an operator would: each empty value and each PASSWORD. */
function fillIn(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' ? SECRET : value.replace('PASSWORD', 'b0b').replace(/^1:$/, KEY),
    ]),
  )
}

/** Interpolates `${NAME}`, `${NAME:?}` and `${NAME:-other}` as Compose does. */
function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::(\?|-([^}]*)))?\}/g, (_, name, rule, other) => {
    const value = values[name] || other
    if (value === undefined && rule === '?') throw new Error(`${name} is missing`)
    return value ?? ''
  })
}

function environmentOf(service: Service | undefined, values: Readonly<Record<string, string>>) {
  const given = Object.entries(service?.environment ?? {})
  return Object.fromEntries(given.map(([name, text]) => [name, interpolate(text, values)]))
}

/** Returns the environment variables that the image sets. */
function imageEnvironment(): Record<string, string> {
  const block = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}

/** The environment that `setup --print-env` writes to `.env`. */
const setupEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  printEnvironment({
    url: 'https://octavo.example.com',
    'sites-domain': 'sites.example.net',
  }).map((line) => line.split(/=(.*)/s, 2)),
)

/** Returns the environment of a service's container. */
function containerEnvironment(name: string, env = setupEnvironment) {
  return { ...imageEnvironment(), ...env, ...environmentOf(compose.services[name], env) }
}

describe('deploy/Dockerfile', () => {
  test("the Dockerfile exposes the service's ports and checks health on the admin port", () => {
    const { HOST, PORT, OCTAVO_ADMIN_HOST, OCTAVO_ADMIN_PORT } = imageEnvironment()
    expect({ HOST, PORT, OCTAVO_ADMIN_HOST, OCTAVO_ADMIN_PORT }).toEqual({
      HOST: '0.0.0.0',
      PORT: '8080',
      OCTAVO_ADMIN_HOST: '0.0.0.0',
      OCTAVO_ADMIN_PORT: '9080',
    })
    expect(dockerfile).toContain('EXPOSE 8080 9080')
    expect(dockerfile).toMatch(/HEALTHCHECK.+OCTAVO_ADMIN_PORT.+GET \/healthz HTTP/s)
  })

  test('the Dockerfile sets only variables that the service knows', () => {
    const names = Object.keys(imageEnvironment()).filter((name) => !name.startsWith('NODE_'))
    expect(ENVIRONMENT_NAMES).toEqual(expect.arrayContaining(names))
  })

  test('the image runs as an unprivileged user without npm', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER 10001:10001$/m)
    expect(last).not.toMatch(/npm (?:ci|install)|build-essential|python/)
    const [, program = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/octavo-service/.exec(last) ?? []
    expect(program).toBe('node_modules/octavo-service/lib/main.js')
    expect(readFileSync(join(ROOT, 'scripts/build.ts'), 'utf8')).toContain(
      "bin: { 'octavo-service': './lib/main.js' }",
    )
  })
})

describe('deploy/compose.yaml', () => {
  const { services, networks, volumes } = compose

  test('compose.yaml starts the service with valid settings', () => {
    const { DATABASE_OWNER_URL, ...environment } = containerEnvironment('octavo') as Record<
      string,
      string | undefined
    >
    // Only the migration gets the owner's connection.
    expect(DATABASE_OWNER_URL).toBeUndefined()
    expect(readSettings(environment)).toMatchObject({
      kind: 'read',
      settings: { port: 8080, adminPort: 9080, blobs: { blobs: '/var/lib/octavo/blobs' } },
    })
  })

  test('the migration runs as the database owner over the socket', () => {
    expect(readSettings(containerEnvironment('migrate'))).toMatchObject({
      kind: 'read',
      settings: { ownerUrl: 'postgres://postgres@localhost/octavo?host=/var/run/postgresql' },
    })
    expect(services.migrate?.command).toEqual(['migrate'])
    expect(services.octavo?.volumes?.join()).not.toContain('socket')
  })

  test.each(Object.keys(readEnvFile('.env.example')))(
    'compose.yaml requires the variable %s to start',
    (name) => {
      const { [name]: _, ...others } = setupEnvironment
      expect(() => containerEnvironment('octavo', others)).toThrow(`${name} is missing`)
    },
  )

  test('`setup --print-env` writes the variables of the example with every secret', () => {
    const example = readEnvFile('.env.example')
    expect(Object.keys(setupEnvironment).toSorted()).toEqual(Object.keys(example).toSorted())
    for (const [name, value] of Object.entries(example))
      if (value !== '') expect(setupEnvironment[name]).toBe(value)
  })

  test('the image in compose.yaml has a configurable tag and is built only on request', () => {
    const { version } = JSON.parse(
      readFileSync(join(ROOT, 'packages/service/package.json'), 'utf8'),
    )
    const image = services.octavo?.image ?? ''
    expect(interpolate(image, {})).toBe(`octavo-service:${version}`)
    expect(interpolate(image, { OCTAVO_IMAGE: 'r.example.com/o:1' })).toBe('r.example.com/o:1')
    for (const file of ['compose.yaml', '.env.example', 'Dockerfile'])
      for (const [, tag] of read(file).matchAll(/octavo-service:(\d[\d.]*\d)/g))
        expect([file, tag]).toEqual([file, version])
    expect(read('kubernetes/kustomization.yaml')).toContain(`newTag: ${version}\n`)
    expect(read('compose.yaml')).not.toMatch(/^\s*build:/m)
    const build = load(read('compose.build.yaml'), { schema: YAML11_SCHEMA }) as {
      readonly services: Readonly<Record<string, { readonly build: object }>>
    }
    const place = { context: '../dist/octavo-service', dockerfile: '../../deploy/Dockerfile' }
    expect(build.services).toEqual({ migrate: { build: place }, octavo: { build: place } })
  })

  test('compose.yaml and .env.example use only known variables', () => {
    const known = [...ENVIRONMENT_NAMES, ...COMPOSE_NAMES]
    expect(known).toEqual(expect.arrayContaining(Object.keys(readEnvFile('.env.example', true))))
    for (const name of ['octavo', 'migrate'])
      expect(known).toEqual(
        expect.arrayContaining(Object.keys(services[name]?.environment ?? { nothing: '' })),
      )
    const used = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    expect(known).toEqual(expect.arrayContaining(used))
  })

  test('compose.yaml starts PostgreSQL, the migration, the service and Caddy in this order', () => {
    const waitsFor = (name: string) =>
      Object.entries(services[name]?.depends_on ?? {}).map(([on, { condition }]) => [on, condition])
    expect(waitsFor('migrate')).toEqual([['postgres', 'service_healthy']])
    expect(waitsFor('octavo')).toContainEqual(['migrate', 'service_completed_successfully'])
    expect(waitsFor('caddy')).toEqual([['octavo', 'service_healthy']])
    expect(services.postgres?.healthcheck?.test).toContain('pg_isready')
  })

  test('in compose.yaml, the service restarts after a failure, but the migration does not', () => {
    expect(services.octavo?.restart).toBe('unless-stopped')
    // YAML would parse a bare `no` as false.
    expect(services.migrate?.restart).toBe('no')
  })

  test('all networks, volumes and files in compose.yaml exist', () => {
    for (const service of Object.values(services)) {
      expect(Object.keys(networks)).toEqual(expect.arrayContaining([...service.networks]))
      for (const volume of service.volumes ?? []) {
        const [from = ''] = volume.split(':')
        // The operator's certificates are not in the repository.
        if (from === './certificates') continue
        if (from.startsWith('.')) expect(existsSync(join(DEPLOY, from)), from).toBe(true)
        else expect(Object.keys(volumes)).toContain(from)
      }
    }
  })

  test('only Caddy publishes ports, and its network is the trusted proxy', () => {
    const published = Object.keys(services).filter((name) => services[name]?.ports !== undefined)
    expect(published).toEqual(['caddy'])
    const subnet = networks.front?.ipam?.config[0]?.subnet ?? ''
    expect(services.octavo?.environment?.OCTAVO_TRUSTED_PROXIES).toBe(subnet)
    expect(interpolate(subnet, {})).toBe('172.30.80.0/24')
    expect(interpolate(subnet, { OCTAVO_SUBNET: '10.9.0.0/24' })).toBe('10.9.0.0/24')
    expect(services.caddy?.networks).toEqual(['front'])
    expect(services.postgres?.networks).toEqual(['back'])
  })

  test('the containers of compose.yaml fit into 4 GB and have minimal privileges', () => {
    const limits = ['postgres', 'octavo', 'caddy'].map((name) =>
      Number.parseInt(services[name]?.mem_limit ?? '', 10),
    )
    expect(limits.reduce((sum, mb) => sum + mb, 0)).toBeLessThan(3_072)
    for (const name of ['octavo', 'migrate', 'caddy']) {
      const { read_only, cap_drop, security_opt } = services[name] ?? {}
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] })
      expect(security_opt).toEqual(['no-new-privileges:true'])
    }
  })

  const caddy = spawnSync('caddy', ['version']).status === 0
  test.skipIf(!caddy)('Caddy accepts its configuration', () => {
    const environment = environmentOf(services.caddy, setupEnvironment)
    const config = join(DEPLOY, 'compose/Caddyfile')
    const { stdout, stderr } = spawnSync(
      'caddy',
      ['adapt', '--config', config, '--adapter', 'caddyfile'],
      { env: { ...process.env, ...environment }, encoding: 'utf8' },
    )
    expect(stdout, stderr).toContain('"ask":"http://octavo:9080/internal/tls-ask"')
    expect(stdout).toContain('"subjects":["octavo.example.com"],"issuers":[{"module":"acme"}]')
    // This policy is for sites and custom domains, which are not listed by name.
    expect(stdout).toContain('{"issuers":[{"module":"acme"}],"on_demand":true}')
    expect(stdout).toContain('"load_folders":["/certificates"]')
    expect(stdout).toContain('"dial":"octavo:8080"')
  })

  test("compose.yaml passes each variable of Caddy's configuration to Caddy", () => {
    const used = [...read('compose/Caddyfile').matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name)
    const given = Object.keys(services.caddy?.environment ?? {})
    expect(given.toSorted()).toEqual([...new Set(used)].toSorted())
  })
})

describe('deploy/systemd', () => {
  const settings = {
    ...fillIn(readEnvFile('systemd/octavo.env.example')),
    ...fillIn(readEnvFile('systemd/owner.env.example')),
  }

  test('the systemd settings are valid, with the owner in a separate file', () => {
    expect(readSettings(settings)).toMatchObject({
      kind: 'read',
      settings: { port: 8080, adminPort: 9080, adminHost: '127.0.0.1' },
    })
    expect(ENVIRONMENT_NAMES).toEqual(expect.arrayContaining(Object.keys(settings)))
    expect(readEnvFile('systemd/octavo.env.example')).not.toHaveProperty('DATABASE_OWNER_URL')
    expect(read('systemd/octavo@.service')).not.toContain('owner.env')
  })

  test('the systemd examples have exactly the variables that `setup` writes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-systemd-'))
    const args = ['--url', 'https://octavo.example.com', '--sites-domain', 'sites.example.net']
    const owner = `postgres://octavo_owner@127.0.0.1:${await freePort()}/octavo`
    await runSetup(
      [...args, '--settings', join(folder, 'octavo.env'), '--database', owner, '--yes'],
      {
        environment: {},
        print: () => {},
        write: () => {},
        input: Readable.from([]),
        now: Date.now,
      },
    )
    const written = parseEnv(readFileSync(join(folder, 'octavo.env'), 'utf8'))
    const ownerFile = parseEnv(readFileSync(join(folder, 'owner.env'), 'utf8'))
    rmSync(folder, { recursive: true })
    const known = Object.keys(readEnvFile('systemd/octavo.env.example'))
    // Without a reachable database, `setup` does not know whether the service's role exists, so it
    // does not write these variables.
    expect([...Object.keys(written), 'DATABASE_URL', 'DATABASE_DIRECT_URL'].toSorted()).toEqual(
      known.toSorted(),
    )
    expect(Object.keys(ownerFile)).toEqual(Object.keys(readEnvFile('systemd/owner.env.example')))
  })

  test.each(['octavo@.service', 'octavo-migrate.service', 'octavo-backup.service'])(
    'the systemd unit %s starts the command that npm installs',
    (file) => {
      const unit = read(`systemd/${file}`)
      const { bin } = JSON.parse(readFileSync(join(ROOT, 'packages/service/package.json'), 'utf8'))
      const [, program = ''] = /^ExecStart=\/usr\/bin\/env (\S+) /m.exec(unit) ?? []
      expect(Object.keys(bin)).toContain(program)
      expect(unit).not.toContain('/opt/')
      const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name)
      expect([...ENVIRONMENT_NAMES, 'NODE_ENV', 'NODE_COMPILE_CACHE']).toEqual(
        expect.arrayContaining(names),
      )
    },
  )

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'systemd accepts every line of the systemd units',
    () => {
      const files = readdirSync(join(DEPLOY, 'systemd')).filter((name) =>
        /\.(?:service|timer)$/.test(name),
      )
      expect(files).toHaveLength(4)
      // systemd-analyze exits with 0 even for an unknown value, but prints a warning.
      const { stdout, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', ...files.map((name) => join(DEPLOY, 'systemd', name))],
        { encoding: 'utf8' },
      )
      expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes(DEPLOY))).toEqual([])
    },
  )

  test('the systemd unit restarts the service after a failed start, but not after invalid settings', () => {
    const unit = read('systemd/octavo@.service')
    // A failed start exits with 1, and invalid settings with 2; see
    // packages/service/src/app/roles/startup.e2e.test.ts.
    expect(unit).toMatch(/^Restart=on-failure$/m)
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m)
    // There is no limit, so that systemd keeps trying while PostgreSQL starts.
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
    expect(unit).toMatch(/^RestartSec=2$/m)
  })

  test('the instance name of the systemd unit is the role', () => {
    expect(read('systemd/octavo@.service')).toMatch(/^ExecStart=.* --role %i$/m)
    const named = [...read('systemd/octavo@.service').matchAll(/octavo@([a-z]+)/g)]
    expect(named.map(([, role]) => role).toSorted()).toEqual(ROLES.toSorted())
  })
})
