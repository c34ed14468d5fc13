/**
 * Tests that the manifests in `deploy/kubernetes` agree with the service and with each other. It
 * does not use the published schemas, because they accept unknown keys, and the packages that
 * contain them have two dozen dependencies.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, loadAll } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { printEnvironment } from '../packages/service/src/app/commands/setup/print-environment.ts'
import { createAdminServer } from '../packages/service/src/app/roles/admin.ts'
import type { Role } from '../packages/service/src/app/roles/service.ts'
import { ENVIRONMENT_NAMES, readSettings } from '../packages/service/src/app/settings/env.ts'
import { freePort } from '../packages/service/testing/start-postgres.ts'

type Labels = Readonly<Record<string, string>>
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
type Container = {
  readonly image: string
  readonly args: readonly string[]
  readonly envFrom: readonly {
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly name: string }
  }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly securityContext: object
  readonly resources: { readonly requests: Labels; readonly limits: Labels }
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
type Pod = {
  readonly metadata: { readonly labels: Labels }
  readonly spec: {
    readonly automountServiceAccountToken: boolean
    readonly securityContext: object
    readonly containers: readonly Container[]
    readonly volumes: readonly { readonly name: string }[]
  }
}
type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: Labels }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly replicas?: number
    readonly template?: Pod
    readonly selector?: Labels & { readonly matchLabels?: Labels }
    readonly ports?: readonly { readonly name: string; readonly targetPort: string }[]
    readonly rules?: readonly {
      readonly host: string
      readonly http: {
        readonly paths: readonly {
          readonly backend: {
            readonly service: { readonly name: string; readonly port: { readonly name: string } }
          }
        }[]
      }
    }[]
  }
}

const FOLDER = join(import.meta.dirname, '../deploy/kubernetes')
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8')
const kustomization = load(read('kustomization.yaml')) as {
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string }[]
}
const manifests = kustomization.resources.flatMap((file) => loadAll(read(file)) as Manifest[])
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const named = (kind: string, name: string) =>
  ofKind(kind).find(({ metadata }) => metadata.name === name)
const podOf = (manifest: Manifest | undefined) => manifest?.spec?.template
const containerOf = (manifest: Manifest | undefined) => podOf(manifest)?.spec.containers[0]
const pods = manifests.filter((manifest) => podOf(manifest) !== undefined)

/**
 * The kinds, each with the API version that all supported Kubernetes versions have and the required
 * keys of its `spec`.
 */
const KINDS: Readonly<Record<string, readonly [apiVersion: string, ...required: string[]]>> = {
  Namespace: ['v1'],
  ConfigMap: ['v1'],
  Service: ['v1', 'ports', 'selector'],
  Deployment: ['apps/v1', 'selector', 'template'],
  Job: ['batch/v1', 'template'],
  Ingress: ['networking.k8s.io/v1', 'rules'],
  NetworkPolicy: ['networking.k8s.io/v1', 'podSelector', 'policyTypes'],
  PodDisruptionBudget: ['policy/v1', 'selector'],
}
/** Whether a role has a deployment. The type check fails if a role is added. */
const DEPLOYED = { api: true, host: true, worker: true, all: false } satisfies Record<Role, boolean>
const ROLES = Object.entries(DEPLOYED).flatMap(([role, isDeployed]) => (isDeployed ? [role] : []))

describe('Kubernetes manifests', () => {
  test('the kustomization lists all Kubernetes manifests', () => {
    const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml')
    expect([...kustomization.resources].toSorted()).toEqual(files.toSorted())
    expect(kustomization.images.map(({ name }) => name)).toEqual(['octavo-service'])
  })

  test('each Kubernetes manifest has a known kind and version, its required keys and a unique name', () => {
    for (const { apiVersion, kind, metadata, spec } of manifests) {
      const [version, ...required] = KINDS[kind] ?? []
      expect([kind, apiVersion]).toEqual([kind, version])
      expect(Object.keys(spec ?? {})).toEqual(expect.arrayContaining(required))
      expect(metadata.namespace).toBe(kind === 'Namespace' ? undefined : 'octavo')
      expect(metadata.labels['app.kubernetes.io/component']).toBeTruthy()
    }
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('pods in the Kubernetes manifests', () => {
  test('each role has a Kubernetes deployment, and the migration has a job', () => {
    const args = Object.fromEntries(
      pods.map((manifest) => [manifest.metadata.name, containerOf(manifest)?.args]),
    )
    expect(args).toEqual({
      'octavo-migrate': ['migrate'],
      ...Object.fromEntries(ROLES.map((role) => [`octavo-${role}`, ['--role', role]])),
    })
  })

  test('pods meet the restricted security profile and have a read-only root file system', () => {
    for (const manifest of pods) {
      expect(podOf(manifest)?.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(containerOf(manifest)?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const { requests, limits } = containerOf(manifest)?.resources ?? {}
      expect(Object.keys(requests ?? {})).toEqual(expect.arrayContaining(['cpu', 'memory']))
      expect(limits).toHaveProperty('memory')
      const volumes = podOf(manifest)?.spec.volumes.map(({ name }) => name)
      expect(containerOf(manifest)?.volumeMounts.map(({ name }) => name)).toEqual(volumes)
    }
  })

  test('pods have valid settings, and only the migration has those of the database owner', () => {
    const config = named('ConfigMap', 'octavo')?.data ?? {}
    const printed = printEnvironment({ database: 'postgres://owner@postgres.example.com/octavo' })
    const secrets = {
      ...Object.fromEntries(printed.map((line) => line.split(/=(.*)/s, 2))),
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
    }
    // The comment in config.yaml must name the secrets, because operators read it.
    for (const name of [...Object.keys(secrets), 'DATABASE_OWNER_URL'])
      expect(read('config.yaml')).toContain(name)
    expect(ENVIRONMENT_NAMES).toEqual(expect.arrayContaining(Object.keys(config)))
    expect(readSettings({ ...config, ...secrets })).toMatchObject({ kind: 'read' })
    expect(readSettings(config)).toMatchObject({ kind: 'wrong' })
    for (const manifest of pods) {
      const from = containerOf(manifest)?.envFrom.map((source) =>
        source.secretRef ? `secret ${source.secretRef.name}` : source.configMapRef?.name,
      )
      const owner = manifest.kind === 'Job' ? ['secret octavo-owner'] : []
      expect(from).toEqual(['octavo', 'secret octavo', ...owner])
    }
  })

  test('Kubernetes probes use paths that the admin server serves', async () => {
    const server = createAdminServer({
      metrics: { print: async () => '', observe: () => {} },
      findProblem: async () => undefined,
      decideCertificate: async () => [404, ''],
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    for (const role of ROLES) {
      const container = containerOf(named('Deployment', `octavo-${role}`))
      const ports = new Map(container?.ports?.map((each) => [each.name, each.containerPort]))
      expect(ports.get('http')).toBe(role === 'worker' ? undefined : 8080)
      for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
        const { path = '', port: name = '' } = container?.[kind]?.httpGet ?? {}
        expect(ports.get(name)).toBe(9080)
        expect(await statusOf(path), `${role} ${kind}`).toBe(200)
      }
      // A host keeps running without the database, so no probe may kill it.
      expect(container?.livenessProbe?.httpGet.path).toBe('/healthz')
      expect(container?.readinessProbe?.httpGet.path).toBe(role === 'host' ? '/healthz' : '/readyz')
    }
    expect(await statusOf('/health')).toBe(404)
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('traffic to pods', () => {
  test('the selectors of deployments, services and disruption budgets match the labels of pods', () => {
    for (const role of ROLES) {
      const name = `octavo-${role}`
      const labels = podOf(named('Deployment', name))?.metadata.labels
      expect(named('Deployment', name)?.spec?.selector?.matchLabels).toEqual(labels)
      expect(named('PodDisruptionBudget', name)?.spec?.selector?.matchLabels).toEqual(labels)
      // With only one pod, a disruption budget would block node drains.
      expect(named('Deployment', name)?.spec?.replicas).toBeGreaterThan(1)
      const service = named('Service', name)
      if (role === 'worker') expect(service).toBeUndefined()
      else expect(service?.spec?.selector).toEqual(labels)
    }
  })

  test('the ingress routes the configured host names to existing services', () => {
    const { OCTAVO_URL = '', OCTAVO_SITES_DOMAIN } = named('ConfigMap', 'octavo')?.data ?? {}
    const [ingress] = ofKind('Ingress')
    const rules = ingress?.spec?.rules?.map(({ host, http }) => {
      const { name, port } = http.paths[0]?.backend.service ?? {}
      const service = named('Service', name ?? '')
      return [
        host,
        name,
        service?.spec?.ports?.find((each) => each.name === port?.name)?.targetPort,
      ]
    })
    expect(rules).toEqual([
      [new URL(OCTAVO_URL).host, 'octavo-api', 'http'],
      [`*.${OCTAVO_SITES_DOMAIN}`, 'octavo-host', 'http'],
    ])
  })

  test('all traffic of pods is denied unless a network policy allows it', () => {
    const [first] = ofKind('NetworkPolicy')
    expect(first?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    const ports = [...read('network-policies.yaml').matchAll(/port: (\d+)/g)].map(([, p]) => p)
    expect(ports).toEqual(expect.arrayContaining(['8080', '9080', '5432', '443', '53']))
  })
})
