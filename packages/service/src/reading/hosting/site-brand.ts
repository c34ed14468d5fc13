/**
 * Reads the name and the logo of a private site for its sign-in page. The logo is included in the
 * page, so that no file of the site has to be public.
 */
import { type ManifestRoot, runIndexOf } from '@octavo/model'
import type { BlobCache } from './blob-cache.ts'

const BRAND_LIMITS = { nameLength: 100, logoBytes: 64 * 1024 } as const

export type SiteBrandReply = {
  readonly name: string
  /** The logos as `data:` URLs. */
  readonly logo?: { readonly light: string; readonly dark: string } | undefined
}

/** Returns undefined for a deployment that an older version of the builder created. */
export async function readBrand(
  cache: BlobCache,
  root: ManifestRoot,
): Promise<SiteBrandReply | undefined> {
  const { brand } = root
  if (brand === undefined) return undefined
  const name = brand.name.slice(0, BRAND_LIMITS.nameLength)
  if (brand.logo === undefined) return { name }
  const light = await readImage(cache, root, brand.logo.light)
  const dark = await readImage(cache, root, brand.logo.dark)
  return { name, logo: light && dark ? { light, dark } : undefined }
}

/** Returns an image as a `data:` URL; undefined if the file is not an image or is too large. */
async function readImage(
  cache: BlobCache,
  root: ManifestRoot,
  path: string,
): Promise<string | undefined> {
  const index = runIndexOf(root, path)
  const entry = index < 0 ? undefined : (await cache.run(root, index)).get(path)
  if (entry === undefined || entry.size > BRAND_LIMITS.logoBytes) return undefined
  const [type = ''] = entry.type.split(';')
  if (!/^image\/[a-z+.-]+$/.test(type)) return undefined
  return `data:${type};base64,${(await cache.bytes(entry.sha256)).toString('base64')}`
}
