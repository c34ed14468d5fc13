/** Runs `npm run lab drill/restore` with small numbers. Needs Debian's PostgreSQL 15. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { POSTGRES_PROGRAMS } from '../../../packages/service/testing/service-command.ts'
import { runDrill } from './run-drill.ts'

test.skipIf(!existsSync(join(POSTGRES_PROGRAMS, 'pg_dump')))(
  'a service is restored from a backup made during writes',
  async () => {
    const { wrong, steps } = await runDrill({
      projects: 2,
      deployments: 1,
      conversations: 10,
      marginMs: 0,
    })
    expect(wrong).toEqual([])
    expect(steps.map(({ name }) => name)).toContain('compare sites')
  },
)
