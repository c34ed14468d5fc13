/** Samples of the list of projects; `hostile` is appended to every user-written text. */
import { ProjectList } from '@octavo/contract'
import { ago, DAY, ORGANIZATION_ID, PROJECT_ID, ULIDS } from './sample-facts.ts'

type State = ProjectList['projects'][number]['state']
type Sample = readonly [
  name: string,
  state: State,
  message: string,
  author: string,
  minutes: number,
  gaps: number,
  access?: ProjectList['projects'][number]['access'],
]

const SAMPLES: readonly Sample[] = [
  ['Sensor docs', 'failed', 'Explain how to calibrate CO₂ sensors', 'Jonas Lindqvist', 38, 7],
  ['Irrigation SDK for Go', 'failed', 'Bump to v4 and drop Go 1.20', 'Tomás Herrera', 120, 4],
  ['Legacy relay manual', 'failed', 'Fix the wiring table', 'Ines Vogel', 6 * DAY, 0],
  ['Billing portal', 'suspended', 'Explain invoices', 'Priya Nair', 9 * DAY, 0],
  ['Controller API', 'building', 'Document alarm webhooks', 'Mei Tanaka', 50, 12],
  ['Mobile app help', 'locked', 'Screenshots of version 9', 'Priya Nair', 180, 3],
  ['Recall notices', 'offline', '', '', 0, 1],
  ['Climate models', 'live', 'Add the humidity model card', 'Sofia Marin', 300, 2],
  ['Irrigation SDK for Python', 'live', 'Type hints for Schedule', 'Tomás Herrera', 360, 5],
  ['Irrigation SDK for TypeScript', 'live', 'Move examples to ESM', 'Tomás Herrera', 480, 6],
  ['Installer training', 'live', 'Module 4: commissioning', 'Rafael Duarte', DAY, 0],
  ['Data platform', 'live', 'Partition keys of the readings table', 'Sofia Marin', DAY, 9],
  ['Operations runbooks', 'live', 'Gateway fleet upgrade', 'Priya Nair', DAY, 0, 'members'],
  ['Reseller kit', 'live', 'Price list for 2027', 'Amara Okafor', 2 * DAY, 1, 'password'],
  ['Firmware notes', 'live', 'H3 3.2.1', 'GitHub Actions', 2 * DAY, 2],
  ['Greenhouse CLI', 'live', 'Add ghx export --since', 'Jonas Lindqvist', 3 * DAY, 3],
  ['Compliance', 'live', 'Record of processing 2026', 'Amara Okafor', 4 * DAY, 0, 'oidc'],
  ['Soil probe docs', 'live', 'Explain drift below 5 °C', 'Mei Tanaka', 5 * DAY, 4, 'jwt'],
  ['Orchard pilot', 'never', '', '', 0, 0],
  [
    'Tutorial videos of the first generation',
    'archived',
    'The last one',
    'Ines Vogel',
    90 * DAY,
    0,
  ],
]

export function sampleProjects(h: string, isEmpty: boolean): ProjectList {
  return ProjectList.parse({
    projects: isEmpty ? [] : SAMPLES.map((sample, index) => sampleProject(sample, index, h)),
    total: isEmpty ? 0 : 104,
    first: isEmpty ? 0 : 1,
    counts: {
      all: isEmpty ? 0 : 104,
      openGaps: isEmpty ? 0 : 61,
      failed: isEmpty ? 0 : 3,
      suspended: isEmpty ? 0 : 1,
      building: isEmpty ? 0 : 1,
      locked: isEmpty ? 0 : 2,
      offline: isEmpty ? 0 : 1,
      live: isEmpty ? 0 : 89,
      never: isEmpty ? 0 : 4,
      archived: isEmpty ? 0 : 3,
    },
    nextCursor: isEmpty ? null : 'next',
  })
}

function sampleProject(sample: Sample, index: number, h: string) {
  const [name, state, message, author, minutes, openGaps, access = 'public'] = sample
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const failedBuild = {
    id: ULIDS.failed,
    number: 129,
    branch: `main${h}`,
    message: `Add the CO₂ range of the H3 probe${h}`,
    author: `Mei Tanaka${h}`,
    errors: 2,
    finishedAt: ago(18),
  }
  return {
    id: index === 0 ? PROJECT_ID : `prj_${String(index).padStart(16, '0')}`,
    name: `${name}${h}`,
    slug,
    url: h === '' ? `https://${slug}.greenhouse.example` : 'javascript:canary()',
    organization: { id: ORGANIZATION_ID, name: `Greenhouse${h}` },
    role: 'owner',
    access,
    state,
    building: state === 'building' || index === 1,
    live:
      message === ''
        ? null
        : {
            id: ULIDS.live,
            number: 128 - index,
            message: `${message}${h}`,
            author: `${author}${h}`,
            publishedAt: ago(minutes),
          },
    failedBuild: state === 'failed' ? failedBuild : null,
    openGaps,
  }
}
