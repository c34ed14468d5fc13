/**
 * A worker process: `node build-until-killed.ts <database url> <folder>`. It builds the
 * repositories in the folder, and kills itself once per project when a build reaches the state in
 * the file `kill-<project>`.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createService } from '../src/app/roles/service.ts'
import { openFolderStore } from '../src/platform/blobs/folder-store.ts'
import { openGit } from '../src/platform/git/open-git.ts'
import { testSettings } from './test-service.ts'

const [databaseUrl = '', root = ''] = process.argv.slice(2)

const service = createService({
  settings: {
    ...testSettings(databaseUrl),
    url: 'http://127.0.0.1',
    sitesDomain: 'sites.test',
    workFolder: join(root, 'work'),
  },
  blobs: await openFolderStore(join(root, 'blobs')),
  role: 'worker',
  builds: {
    git: await openGit({ folder: join(root, 'clones'), allowPrivateHosts: ['127.0.0.1'] }),
    onBuildChanged: async (query, { projectId }, id) => {
      const [row] = await query<{ state: string }>(
        'select state from build where project_id = current_project() and id = $1',
        [id],
      )
      const file = join(root, `kill-${projectId}`)
      if (!existsSync(file)) return
      const [state = '', delayMs = '0'] = readFileSync(file, 'utf8').split(' ')
      if (row?.state !== state) return
      rmSync(file)
      // Without a delay, kills the process during the transaction.
      if (delayMs === '0') process.kill(process.pid, 'SIGKILL')
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(delayMs))
    },
  },
  writeLog: (line) => process.stdout.write(line),
  now: Date.now,
})
await service.startWorker()
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
