/** Measures the disk usage of a service's blobs in a folder store. */
import { execFileSync } from 'node:child_process'
import type { Hosting } from '../../../packages/service/testing/start-hosting.ts'

export function storedKb({ environment }: Hosting): number {
  const out = execFileSync('du', ['-sk', environment.OCTAVO_BLOBS ?? ''], { encoding: 'utf8' })
  return Number.parseInt(out, 10)
}
