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
