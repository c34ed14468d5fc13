/**
 * Opens a documentation folder or a built site as a deployment with its library, for commands that
 * search it.
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { builderVersion, buildSite } from '@octavo/builder/build'
import {
  createEmbedder,
  type Embedder,
  findModel,
  MODEL_INSTALL,
  VectorFile,
} from '@octavo/embeddings'
import { ASSISTANT_FILE_PATH, formatDiagnostic } from '@octavo/model'
import {
  type DeploymentReader,
  embeddingTexts,
  openLibrary,
  type QuestionVectors,
  type SiteLibrary,
} from '@octavo/search'
import { createFetcher, type NetworkOptions } from '../commands/specification-fetcher.ts'
import { workFolder } from '../commands/work-folder.ts'
import type { CommandContext } from '../context/command-context.ts'
import { openFolder } from './open-folder.ts'

export type DeploymentOptions = NetworkOptions & {
  readonly folder: string
  /** The language and version to search. */
  readonly scope: string | undefined
}

export type LibraryOptions = DeploymentOptions & { readonly vectors: 'off' | 'local' }

/** A reader with local access to the folder, who sees every page that requires no group. */
export const FOLDER_READER = { hasSiteAccess: true, groups: new Set<string>() }

export type OpenedLibrary = {
  readonly deployment: DeploymentReader
  readonly library: SiteLibrary
  /** Stops the process of the embedding model, if one is running. */
  readonly close: () => void
}

/** Opens the library of a site; returns an error message if this fails. */
export async function openSiteLibrary(
  world: CommandContext,
  options: LibraryOptions,
): Promise<OpenedLibrary | string> {
  const folder = resolve(world.cwd, options.folder)
  const deployment = await openDeployment(world, options)
  if (typeof deployment === 'string') return deployment
  const view = { scope: options.scope, reader: FOLDER_READER }
  if (options.vectors === 'off')
    return { deployment, library: await openLibrary(deployment, view), close: () => {} }
  const model = await findModel([folder, world.cwd, import.meta.dirname])
  if (typeof model === 'string') return `${model}\nInstall both: ${MODEL_INSTALL}`
  const embedder = createEmbedder(model)
  const vectors = await fillVectors(world, embedder, {
    folder,
    chunks: await embeddingTexts(deployment, view),
  })
  const library = await openLibrary(deployment, { ...view, vectors })
  return { deployment, library, close: embedder.close }
}

/**
 * Opens the deployment of a folder, and builds the site first if needed. Returns an error message
 * if this fails.
 */
export async function openDeployment(
  world: CommandContext,
  options: DeploymentOptions,
): Promise<DeploymentReader | string> {
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return `the folder "${options.folder}" does not exist.`
  const deployment = (await openFolder(folder)) ?? (await build(world, { ...options, folder }))
  if (typeof deployment === 'string') return deployment
  const scopes = [...new Set(deployment.root.search.map(({ scope }) => scope))]
  if (options.scope !== undefined && !scopes.includes(options.scope))
    return `the site has no scope "${options.scope}". It has ${scopes.join(', ')}.`
  return deployment
}

/** The maximum size of the file for the assistant, which a build writes from docs.json. */
const ASSISTANT_FILE_BYTES_MAX = 64 * 1024

/** Returns what a build wrote for the assistant; undefined for older sites. */
export async function readAssistantFile(deployment: DeploymentReader): Promise<string | undefined> {
  const wanted = { path: ASSISTANT_FILE_PATH, bytesMax: ASSISTANT_FILE_BYTES_MAX }
  const file = await deployment.read(wanted)
  return file && new TextDecoder().decode(file.bytes)
}

/** Returns the name from docs.json, or a fallback for older sites without this file. */
export async function readSiteName(deployment: DeploymentReader): Promise<string> {
  const text = await readAssistantFile(deployment)
  const facts: unknown = text && JSON.parse(text)
  const isNamed = typeof facts === 'object' && facts !== null && 'name' in facts
  return isNamed && typeof facts.name === 'string' ? facts.name : 'this site'
}

async function build(
  world: CommandContext,
  options: DeploymentOptions,
): Promise<DeploymentReader | string> {
  const { folder } = options
  const output = join(workFolder(folder, 'answers'), 'site')
  const { isLoaded, diagnostics } = await buildSite({
    folder,
    output,
    cacheFolder: workFolder(folder, 'cache'),
    version: builderVersion(),
    // The folder is trusted: it belongs to the author who runs the command.
    isTrusted: true,
    fetcher: createFetcher(world, { ...options, folder }),
  })
  if (!isLoaded)
    return `the site cannot be built.\n${diagnostics.map(formatDiagnostic).join('\n\n')}`
  return (await openFolder(output)) ?? 'the built site has no manifest.'
}

async function fillVectors(
  world: CommandContext,
  embedder: Embedder,
  { folder, chunks }: { readonly folder: string; readonly chunks: readonly string[] },
): Promise<QuestionVectors> {
  const file = new VectorFile(join(workFolder(folder, 'answers'), 'vectors.bin'))
  const show = (done: number, total: number) => {
    if (world.err.isTTY) world.err.write(`\r\u001b[K${done} of ${total} passages embedded`)
  }
  await file.fill(chunks, embedder, show)
  if (world.err.isTTY) world.err.write('\r\u001b[K')
  const embed = async (question: string) => {
    const [vector] = await embedder.embed([question])
    if (vector === undefined) throw new Error('The model returned no vector.')
    return vector
  }
  return { of: (chunk) => file.of(chunk), embed }
}
