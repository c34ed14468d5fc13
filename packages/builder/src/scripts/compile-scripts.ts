/**
 * Our own browser code as files of a site. Nothing here depends on the site, so it is compiled once
 * for each version of the builder; load-scripts.ts keeps it.
 */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, relative } from 'node:path'
import * as esbuild from 'esbuild'
import { browserScript } from '../compile/own-files.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { BROWSER_OUTPUT } from './browser-output.ts'
import { compileStyles } from './compile-styles.ts'
import { nameByContent } from './name-by-content.ts'

export type Script = {
  /** In the folder of scripts, such as `site-4XQ2ZK7B.js`. */
  readonly name: string
  readonly code: string
}

export type CompiledScripts = {
  /** Loaded by every page. */
  readonly site: Script
  /** Loaded by some readers. */
  readonly lazy: readonly Script[]
  /** Loads tools of others on the sites that have any; what it loads is written before it. */
  readonly integrations: string
  /** The same, for sites with a consent manager. */
  readonly askingIntegrations: string
  /** The library for diagrams, compiled for the sites that have any: see `compileMermaid`. */
  readonly mermaidFolder: string
  /** The minified stylesheets of the theme, by the names of their files. */
  readonly styles: Readonly<Record<string, string>>
}

/** A dependency of the browser package: it is looked for from there. */
const DIAGRAM_LIBRARY = 'mermaid'

/** Names have the hash of the content: what a browser has once it may keep forever. */
export async function compileScripts(): Promise<CompiledScripts> {
  const folder = mermaidFolder()
  const mermaid = `./${folder}/mermaid.js`
  const [outputs, styles, integrations, askingIntegrations] = await Promise.all([
    compile('site', {
      entryNames: '[name]-[hash]',
      define: { MERMAID_URL: JSON.stringify(mermaid) },
      external: [mermaid],
    }),
    compileStyles(),
    compileAlone('integrations/integrations', { HAS_MANAGERS: 'false' }),
    compileAlone('integrations/integrations', { HAS_MANAGERS: 'true' }),
  ])
  const site = outputs.find(({ name }) => name.startsWith('site-'))
  if (site === undefined) throw new Error('esbuild gave no script for pages.')
  const lazy = outputs.filter((output) => output !== site)
  const tools = { integrations, askingIntegrations }
  return { site, lazy, ...tools, mermaidFolder: folder, styles }
}

/** What `octavo dev` adds to pages. */
export function compileDevClient(): Promise<string> {
  return compileAlone('dev/client')
}

/** What a service adds to pages. The words of the panel decide its name too. */
export async function compileHostScripts(words: string) {
  const proof = await compileAlone('assistant/solve-proof')
  const proofName = `proof-${hashBytes(proof).slice(0, 12)}`
  const panel = await compileAlone('assistant/panel', { PROOF_NAME: JSON.stringify(proofName) })
  const panelName = `panel-${hashBytes(panel, words).slice(0, 12)}`
  const feedback = await compileAlone('events/feedback')
  const feedbackName = `feedback-${hashBytes(feedback, words).slice(0, 12)}`
  const define = {
    PANEL_NAME: JSON.stringify(panelName),
    FEEDBACK_NAME: JSON.stringify(feedbackName),
  }
  const [loader, previewLoader, previewBar, dashboard, readerLinks, listener] = await Promise.all([
    compileAlone('assistant/loader', define),
    compileAlone('preview/preview-host', define),
    compileAlone('preview/bar'),
    compileAlone('dashboard/dashboard'),
    compileAlone('reader/reader-links'),
    compileAlone('events/listener', define),
  ])
  const pages = { loader, previewLoader, previewBar, readerLinks, listener }
  const loaded = { panelName, panel, proofName, proof, feedbackName, feedback }
  return { ...pages, ...loaded, dashboard }
}

/** As one text. */
async function compileAlone(
  entry: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { outputFiles } = await esbuild.build({
    ...BROWSER_OUTPUT,
    define,
    entryPoints: [browserScript(entry)],
  })
  return outputFiles[0]?.text ?? ''
}

/** The library is large, and most sites have no diagram: it is compiled apart from the rest. */
export function compileMermaid(): Promise<readonly Script[]> {
  return compile('mermaid', {})
}

/**
 * Known without compiling: what is in the folder follows from these. Files inside import one another
 * by names that change with any of them, so all of them must move together.
 */
function mermaidFolder(): string {
  const file = findPackageJSON(DIAGRAM_LIBRARY, browserScript('mermaid')) ?? ''
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  const settings = JSON.stringify(BROWSER_OUTPUT)
  return `mermaid-${hashBytes(version, esbuild.version, settings).slice(0, 12)}`
}

type EntryOptions = Pick<esbuild.BuildOptions, 'entryNames' | 'define' | 'external'>

async function compile(entry: string, options: EntryOptions): Promise<readonly Script[]> {
  const source = browserScript(entry)
  const { outputFiles } = await esbuild.build({
    ...BROWSER_OUTPUT,
    splitting: true,
    chunkNames: '[name]-[hash]',
    // Hashes must not depend on where we are installed.
    absWorkingDir: dirname(source),
    outdir: '.',
    entryPoints: [basename(source)],
    ...options,
  })
  const scripts = outputFiles.map(({ path, text }) => ({
    name: relative(dirname(source), path),
    code: text,
  }))
  return nameByContent(scripts).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
