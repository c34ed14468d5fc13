import type { BuildOptions } from 'esbuild'

/** The esbuild options for all browser code. */
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
  // With an empty configuration, esbuild does not look for a tsconfig.json in parent folders.
  tsconfigRaw: {},
} as const satisfies BuildOptions
