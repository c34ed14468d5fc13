/** `npm run test:s3`: runs the blob store tests on a real S3-compatible store. */
import { spawnSync } from 'node:child_process'
import {
  CEPH_PACKAGES,
  missingCephPrograms,
  startCeph,
} from '../packages/service/testing/start-ceph.ts'

const missing = missingCephPrograms()
if (missing.length > 0) {
  console.log(
    `Ceph is missing (${missing.join(', ')}): apt-get install --no-install-recommends ${CEPH_PACKAGES}`,
  )
  process.exit(process.env.CI === undefined ? 0 : 1)
}
const started = performance.now()
const ceph = await startCeph()
console.log(`Ceph is ready after ${((performance.now() - started) / 1000).toFixed(1)} s`)
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'e2e-service', 'packages/service/src/platform/blobs'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_S3_ENDPOINT: ceph.endpoint,
      TEST_S3_KEY: ceph.accessKeyId,
      TEST_S3_SECRET: ceph.secretAccessKey,
    },
  },
)
await ceph.stop()
process.exitCode = status ?? 1
