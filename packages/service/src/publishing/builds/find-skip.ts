/** Finds reasons to skip the build of a push. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { EarlierBuild } from './store.ts'

/**
 * The stored list of files that a build did not read. Any other file in the folder can change the
 * site.
 */
const UnreadFiles = z.object({ folder: z.string(), unread: z.array(z.string()) })

const STORED_BYTES_MAX = 1_000_000
const UNPACKED_BYTES_MAX = 50_000_000
const SKIP_MARK = /\[(skip docs|docs skip|skip ci|ci skip|no ci)\]/i

/** Returns undefined if the list is too large to store. Then every push is built. */
export function packUnread(folder: string, unread: readonly string[]): Buffer | undefined {
  const packed = gzipSync(JSON.stringify({ folder, unread }))
  return packed.length > STORED_BYTES_MAX ? undefined : packed
}

/** Returns the reason to skip the build if the author put a skip mark into the commit message. */
export function findSkipMark(message: string): string | undefined {
  const [mark] = SKIP_MARK.exec(message) ?? []
  return mark === undefined ? undefined : `The commit message contains ${mark}.`
}

export type Comparison = {
  readonly earlier: EarlierBuild
  /** The documentation folder in the repository; empty for its root. */
  readonly folder: string
  /** The folder with the current files. */
  readonly source: string
  /** Paths of the changed files, relative to the root of the repository. */
  readonly changedPaths: readonly string[]
}

/**
 * Returns the reason to skip the build if no changed file affects the site; undefined if one may.
 */
export function findNoChange(comparison: Comparison): string | undefined {
  const { earlier, folder, source, changedPaths } = comparison
  const known = unpack(earlier.unread)
  if (known === undefined || known.folder !== folder) return undefined
  const prefix = folder === '' ? '' : `${folder}/`
  const inside = changedPaths
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
  const unread = new Set(known.unread)
  // A page may refer to a deleted file, so only files that still exist are harmless. New files are
  // not in the list of unread files.
  const isHarmless = (path: string) => unread.has(path) && existsSync(join(source, path))
  if (!inside.every(isHarmless)) return undefined
  const where = folder === '' ? 'in files of the site' : `under ${folder}/`
  return `No change ${where} since ${earlier.commit.slice(0, 7)}.`
}

function unpack(bytes: Buffer): z.infer<typeof UnreadFiles> | undefined {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }).toString('utf8')
    return UnreadFiles.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
