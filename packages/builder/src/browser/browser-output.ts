import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'

/** How everything for browsers is compiled. */
export const BROWSER_OUTPUT = {
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'silent',
  // Otherwise settings are looked for in the folders around.
  tsconfigRaw: {},
} as const satisfies BuildOptions

/** A file of the theme's browser code, source or compiled: whatever the theme itself is. */
export function themeScript(name: string): string {
  const theme = import.meta.resolve('@octavo/theme')
  return fileURLToPath(new URL(`./${name}${extname(theme)}`, theme))
}
