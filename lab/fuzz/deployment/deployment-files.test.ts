/** Tests a small number of runs of `npm run lab fuzz/deployment`. */
import { beforeAll, expect, test } from 'vitest'
import { GARDEN } from '../../../packages/service/testing/assistant-site.ts'
import { builtSite } from '../../../packages/service/testing/built-site.ts'
import { Chance } from '../openapi/change-specification.ts'
import { type FuzzSite, openFuzzSite, readFile, TARGETS } from './deployment-files.ts'

const RUNS = 40

let site: FuzzSite
beforeAll(async () => {
  site = openFuzzSite(await builtSite(GARDEN))
})

test.each(TARGETS.map((target) => [target.name, target] as const))(
  'a randomly changed file (%s) is read or rejected, and causes no other error',
  async (_, target) => {
    for (let seed = 0; seed < RUNS; seed += 1)
      expect(await readFile(target.make(site, new Chance(seed)))).toMatch(/^(?:read|refused)$/)
  },
)
