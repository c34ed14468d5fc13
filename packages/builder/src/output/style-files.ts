/** The stylesheets of the theme: one for all pages, and parts for the pages that use them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  baseStyleFiles,
  type FrameInput,
  lookOf,
  minifyCss,
  PART_FILES,
  STYLE_PARTS,
  STYLES_FOLDER,
} from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashBytes, hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

export type StylesInput = {
  readonly output: SiteOutput
  readonly theme: Parameters<typeof lookOf>[0]
  /** Colors and the like, from docs.json. */
  readonly siteStyles: string
  /** Changes whenever the same input would give other bytes. */
  readonly version: string
}

export type WrittenStyles = {
  readonly base: string
  readonly parts: FrameInput['assets']['parts']
}

/** Named after what they are made of, so that browsers may keep them for ever. */
export function writeStyles({ output, theme, siteStyles, version }: StylesInput): WrittenStyles {
  const put = (name: string, css: string): string => {
    const hash = hashFile(css)
    const path = `${OWN_FOLDER}/${name}-${hash.slice(0, 12)}.css`
    const key = hashBytes(version, hash)
    // It says nothing of any page.
    const facts = { key, access: 'public' } as const
    if (!output.keep(path, facts)) output.write(path, minifyCss(css), facts)
    return `/${path}`
  }
  const base = `${readStyles(baseStyleFiles(lookOf(theme).name))}\n${siteStyles}`
  const parts = STYLE_PARTS.filter((part) => PART_FILES[part].length > 0).map((part) => [
    part,
    put(part, readStyles(PART_FILES[part])),
  ])
  return { base: put('theme', base), parts: Object.fromEntries(parts) }
}

function readStyles(names: readonly string[]): string {
  const folder = fileURLToPath(STYLES_FOLDER)
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}
