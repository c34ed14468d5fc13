import { builderVersion } from '@octavo/builder'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { detectIsolation, type Isolation } from '../../platform/sandbox/isolation.ts'
import { BUILD_QUEUE } from './accept-build.ts'
import type { OnBuildChanged } from './build.ts'
import { BuildJobs, type BuildJobsDeps } from './build-jobs.ts'
import { type RunBuildDeps, runBuild } from './run-build.ts'
import { warmBuilder } from './warm-builder.ts'
import { openWorkFolder } from './work-folder.ts'

/** Parts of builds that tests can replace. */
export type BuildPorts = Pick<RunBuildDeps, 'git' | 'limits'> & {
  readonly onBuildChanged?: OnBuildChanged
  /** The sandbox for processes; detected by default. */
  readonly isolation?: Isolation
}

type StartDeps = BuildPorts &
  Omit<BuildJobsDeps, 'run'> &
  Omit<RunBuildDeps, 'isolation' | 'work' | 'version' | 'allowPrivateHosts'> & {
    readonly settings: {
      readonly workFolder: string
      readonly allowPrivateHosts: readonly string[]
    }
  }

/** Runs builds in this process. Returns a function that puts running builds back in the queue. */
export async function startBuilds(deps: StartDeps, jobs: JobQueue): Promise<() => void> {
  const { settings, now, log } = deps
  const isolation = deps.isolation ?? (await detectIsolation())
  const version = builderVersion()
  const work = openWorkFolder(settings.workFolder, version)
  work.removeOld(now())
  log.info('builds', { isolation: isolation.description })
  const stopping = new AbortController()
  // Prepares the builder before the first build. All builds wait for it.
  let warm: Promise<void> | undefined
  const buildJobs = new BuildJobs({
    ...deps,
    run: async (running) => {
      warm ??= warmBuilder(work, { version, signal: stopping.signal })
      await warm.catch((error: unknown) => {
        warm = undefined
        log.error('the builder was not prepared', { error })
      })
      return runBuild(
        { ...deps, isolation, work, version, allowPrivateHosts: settings.allowPrivateHosts },
        running,
      )
    },
  })
  await jobs.work(BUILD_QUEUE, (job) => buildJobs.handle(job))
  return () => {
    stopping.abort()
    buildJobs.stop()
  }
}
