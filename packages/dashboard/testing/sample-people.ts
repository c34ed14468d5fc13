/** Samples of people and the audit log; `hostile` is appended to every user-written text. */
import { ago, DAY, PROJECT_ID } from './sample-facts.ts'

const HERE = (role: string) => ({ projects: [{ id: PROJECT_ID, role }] })
const PEOPLE: readonly (readonly [name: string, rest: object])[] = [
  ['Amara Okafor', { role: 'owner' }],
  ['Priya Nair', { role: 'admin' }],
  ['Jonas Lindqvist', { role: 'viewer', ...HERE('editor') }],
  ['Mei Tanaka', HERE('analyst')],
  ['Sofia Marin', HERE('editor')],
  ['Rafael Duarte', { role: 'viewer' }],
  ['Ingrid Sørensen', { role: 'editor' }],
  ['Kwame Mensah', HERE('editor')],
  ['Maximiliane Wolfeschlegelsteinhausen-Bergerdorff', HERE('viewer')],
  ['Tomás Ferreira', HERE('viewer')],
  ['Noor Haddad', { role: 'analyst' }],
  ['Elif Yılmaz', HERE('editor')],
  ['Oskar Berg', HERE('viewer')],
  ['Lucía Romero', HERE('viewer')],
  ['Hana Kim', { role: 'admin' }],
  ['Ben', HERE('viewer')],
  ['Zuzanna Kowalska', HERE('editor')],
  ['Daniel O’Connor', { role: 'viewer' }],
  ['Aiko Mori', HERE('analyst')],
  ['Viktor Petrov', HERE('viewer')],
]

export function sampleMembers(h: string) {
  return PEOPLE.map(([name, rest], index) => ({
    id: `usr_${index + 1}`,
    name: `${name}${h}`,
    email: `${name.split(' ')[0]?.toLowerCase()}@greenhouse.example`,
    role: null,
    projects: [],
    ...rest,
  }))
}

const person = (id: number) => ({ actor: `user usr_${id}`, actorName: PEOPLE[id - 1]?.[0] })
const KEY = { actor: 'key 4815162342', actorName: 'GitHub Actions' }
const DEPLOYMENT = 'deployment 01KG9YS7G0CPZHN1J3EKWGC1Y1'

export function sampleAudit(h: string) {
  const entries: readonly (readonly [minutesAgo: number, rest: object])[] = [
    [
      4,
      {
        ...person(1),
        actorName: `Amara Okafor${h}`,
        action: 'key.create',
        object: 'key 4815162342',
        objectName: `Monthly report${h}`,
        after: { kind: 'admin', scopes: ['analytics:read'] },
      },
    ],
    [
      38,
      {
        ...person(2),
        action: 'deployment.publish',
        object: DEPLOYMENT,
        objectName: `#125 Explain how to calibrate CO₂ sensors${h}`,
        before: { live: `#126 Shrink the pictures of the joining guides${h}` },
        after: {
          live: `#125 Explain how to calibrate CO₂ sensors${h}`,
          lockReason: 'Rolled back: joining guides lost their pictures.',
        },
      },
    ],
    [
      70,
      {
        ...KEY,
        action: 'deployment.finish',
        object: DEPLOYMENT,
        objectName: '#126 Shrink the pictures of the joining guides',
        after: { state: 'live' },
      },
    ],
    [
      255,
      {
        ...person(4),
        action: 'conversations.export',
        object: '',
        after: { format: 'text/csv', dateFrom: '2026-10-01', dateTo: '2026-11-01' },
      },
    ],
    [
      290,
      {
        ...person(1),
        action: 'sign-in.success',
        object: 'amara@greenhouse.example',
        after: { method: 'passkey' },
      },
    ],
    [
      1 * DAY,
      {
        ...person(5),
        action: 'member.join',
        object: 'sofia@greenhouse.example',
        objectName: 'Sofia Marin',
        after: { role: 'editor', invitedBy: 'Priya Nair' },
      },
    ],
    [
      1 * DAY + 90,
      {
        ...person(1),
        action: 'member.role',
        object: 'jonas@greenhouse.example',
        objectName: 'Jonas Lindqvist',
        before: { role: 'viewer' },
        after: { role: 'editor' },
      },
    ],
    [
      1 * DAY + 100,
      {
        ...person(2),
        action: 'member.invite',
        object: `sofia@greenhouse.example${h}`,
        after: { role: 'editor' },
      },
    ],
    [
      2 * DAY,
      {
        ...person(2),
        action: 'access.set',
        object: '',
        before: { mode: 'password', previews: 'readers', passwordSet: true },
        after: { mode: 'oidc', previews: 'members', issuer: 'https://login.greenhouse.example' },
      },
    ],
    [
      3 * DAY,
      {
        ...person(1),
        action: 'project.settings',
        object: 'prj_5kbu4k41mpelzrqs',
        before: { name: 'Docs', retentionDays: 730, trust: [], language: 'en', failOn: ['all'] },
        after: {
          name: `Sensor docs${h}`,
          retentionDays: 365,
          trust: ['github:greenhouse/docs'],
          language: 'de',
          failOn: ['pages'],
        },
      },
    ],
    [
      3 * DAY + 20,
      {
        actor: 'anonymous',
        action: 'sign-in.refused',
        object: 'rafael@greenhouse.example',
        objectName: 'Rafael Duarte',
        after: { method: 'email', reason: 'wrong-code', attempts: 5 },
      },
    ],
    [
      4 * DAY,
      {
        actor: 'user usr_99xq0k3m1r7t5v2b',
        action: 'domain.add',
        object: 'docs.greenhouse.example',
      },
    ],
    [5 * DAY, { actor: 'operator', action: `unknown.action${h}`, object: 'thing' }],
    [
      6 * DAY,
      {
        actor: 'operator',
        action: 'conversations.import',
        object: '',
        after: { count: 420 },
        network: undefined,
        requestId: undefined,
      },
    ],
  ]
  return entries.map(([minutesAgo, rest], index) => ({
    id: `${index + 1}`,
    at: ago(minutesAgo),
    network: '198.51.100.0/24',
    requestId: '3f0c5a52-6f2e-4f55-9a2c-64a3b2c1d0e9',
    ...rest,
  }))
}
