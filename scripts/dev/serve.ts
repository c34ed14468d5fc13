/** Runs the service for `npm run dev` after each save, and migrates the schema first. */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { readDemoSettings } from '../../packages/service/src/app/commands/demo/demo-settings.ts'
import { createDemoLink } from '../../packages/service/src/app/commands/demo/fill-demo.ts'
import { isPortFree } from '../../packages/service/src/app/commands/demo/free-port.ts'
import { serve } from '../../packages/service/src/app/roles/serve.ts'
import { migrate } from '../../packages/service/src/platform/database/migrate.ts'

const PORT_LOOK_MS = 20

const settings = readDemoSettings(process.env)
const { ownerUrl, databaseUrl } = settings
await migrate(ownerUrl, { serviceUrl: databaseUrl, warn: () => {} })
process.send?.(await createDemoLink(settings))
// The previous service closes its port first and finishes its jobs while this one starts.
while (!(await isPortFree(settings.port))) await sleep(PORT_LOOK_MS)
await serve(settings, 'all')
process.exit(0)
