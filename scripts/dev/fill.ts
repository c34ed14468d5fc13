/** Fills the new database of `npm run dev` with the sample data of the demo and with builds. */
import { join } from 'node:path'
import process from 'node:process'
import { buildDemoSite } from '../../packages/service/src/app/commands/demo/build-demo-site.ts'
import {
  demoSiteUrl,
  readDemoSettings,
} from '../../packages/service/src/app/commands/demo/demo-settings.ts'
import { fillDemo } from '../../packages/service/src/app/commands/demo/fill-demo.ts'
import { addSampleBuilds } from './sample-builds.ts'

const settings = readDemoSettings(process.env)
const folder = join(settings.workFolder, 'demo')
const builds = await buildDemoSite(folder, demoSiteUrl(settings.port))
const project = await fillDemo({ settings, builds, now: Date.now })
await addSampleBuilds(settings.ownerUrl, project)
