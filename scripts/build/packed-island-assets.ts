/**
 * Replaces the builder's `island-assets.ts` in packages, where the runtime of islands is
 * precompiled.
 */
import type { IslandAssets } from '../../packages/builder/src/islands/island-assets.ts'
import { readPacked } from './read-packed.ts'

export async function islandAssets(): Promise<IslandAssets> {
  return readPacked('islands.json') as IslandAssets
}
