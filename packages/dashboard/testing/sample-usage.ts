/** Samples of the usage in the current month. In all samples, today is 15 November. */
import { OrganizationUsage, UsageReply } from '@octavo/contract'
import { PROJECT_ID } from './sample-facts.ts'

const MONTH = { from: '2026-11-01', to: '2026-12-01' }
const NOTHING = {
  requests: 0,
  sentBytes: 0,
  deployments: 0,
  builds: 0,
  buildSeconds: 0,
  questions: 0,
  tokens: 0,
}

export function sampleUsage(h: string, isEmpty: boolean) {
  const storage = isEmpty
    ? { bytes: 0, bytesMax: null }
    : { bytes: 13_800_000_000, bytesMax: 20_000_000_000 }
  const one = (id: string, name: string, rest: object) => ({ ...NOTHING, id, name, ...rest })
  const toDate = {
    requests: 410_221,
    sentBytes: 18_300_000_000,
    deployments: 61,
    builds: 52,
    buildSeconds: 6_916,
    questions: 2_033,
    tokens: 6_100_000,
  }
  return {
    usage: UsageReply.parse({
      month: MONTH,
      storage,
      toDate: isEmpty ? NOTHING : toDate,
      before: isEmpty ? NOTHING : { ...toDate, questions: 1_740, requests: 441_930 },
      tokensMax: isEmpty ? null : 10_000_000,
    }),
    organizationUsage: OrganizationUsage.parse({
      month: MONTH,
      storage,
      projects: [
        one(
          PROJECT_ID,
          `Sensor docs${h}`,
          isEmpty ? {} : { ...toDate, storedBytes: 5_900_000_000 },
        ),
        one('prj_2', 'Controller API', {
          storedBytes: isEmpty ? 0 : 4_100_000_000,
          questions: 1_120,
        }),
        one('prj_3', 'Grower handbook', {
          storedBytes: isEmpty ? 0 : 2_600_000_000,
          deployments: 9,
        }),
        one('prj_4', 'Partner portal', { storedBytes: isEmpty ? 0 : 1_200_000_000 }),
      ].map((project) => ({ storedBytes: 0, ...project })),
    }),
  }
}
