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
import { hashFile } from '../hash-bytes.ts'
import type { OutputFolder } from '../output-folder.ts'
import { OWN_FOLDER } from './own-folder.ts'

export type StylesInput = {
  readonly output: OutputFolder
  readonly theme: Parameters<typeof lookOf>[0]
  /** Colours and the like, from docs.json. */
  readonly siteStyles: string
}

export type WrittenStyles = {
  readonly base: string
  readonly parts: FrameInput['assets']['parts']
}

/** Named after their content, so that browsers may keep them for ever. */
export function writeStyles({ output, theme, siteStyles }: StylesInput): WrittenStyles {
  const put = (name: string, css: string): string => {
    const path = `${OWN_FOLDER}/${name}-${hashFile(css).slice(0, 12)}.css`
    output.write(path, undefined, css)
    return `/${path}`
  }
  const base = minifyCss(`${readStyles(baseStyleFiles(lookOf(theme).name))}\n${siteStyles}`)
  const parts = STYLE_PARTS.filter((part) => PART_FILES[part].length > 0).map((part) => [
    part,
    put(part, minifyCss(readStyles(PART_FILES[part]))),
  ])
  return { base: put('theme', base), parts: Object.fromEntries(parts) }
}

function readStyles(names: readonly string[]): string {
  const folder = fileURLToPath(STYLES_FOLDER)
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
}
