/** Stands in the place of the builder's `island-assets.ts`: the runtime is compiled when it is packed. */
import type { IslandAssets } from '../../packages/builder/src/islands/island-assets.ts'
import { readPacked } from './read-packed.ts'

export async function islandAssets(): Promise<IslandAssets> {
  return readPacked('islands.json') as IslandAssets
}
