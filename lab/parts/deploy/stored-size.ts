/** How much disk the blobs of a service take, whose store is a folder. */
import { execFileSync } from 'node:child_process'
import type { Hosting } from '../../../packages/service/testing/start-hosting.ts'

export function storedKb({ environment }: Hosting): number {
  const out = execFileSync('du', ['-sk', environment.OCTAVO_BLOBS ?? ''], { encoding: 'utf8' })
  return Number.parseInt(out, 10)
}
