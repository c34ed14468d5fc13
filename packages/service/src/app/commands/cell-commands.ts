/** Commands that move projects between cells or restore them from an export. */

import { resolve } from 'node:path'
import { Slug } from '@octavo/contract'
import { printable } from '@octavo/model'
import { z } from 'zod'
import { writeAudit } from '../../platform/audit/store.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openBlobStore } from '../../platform/blobs/open-blob-store.ts'
import { tenantOf } from '../../projects/projects/store.ts'
import { namesOf } from '../../publishing/domains/site-address.ts'
import { UnusableExport } from '../cells/export-manifest.ts'
import { exportProject } from '../cells/export-project.ts'
import { type ImportDeps, importBlobs, importProject } from '../cells/import-project.ts'
import { importUntrusted } from '../cells/import-untrusted.ts'
import { beginMove, finishMove, listRoutes } from '../cells/move-project.ts'
import { parseTransferKey } from '../cells/transfer-key.ts'
import {
  type CommandInput,
  type CommandTable,
  findAnyProject,
  findProject,
  type Lines,
  ofProject,
  type ProjectInput,
  required,
  UsageError,
} from './arguments.ts'
import { readKeyFile } from './assistant-commands.ts'

export const CELL_COMMANDS: CommandTable = {
  'project export': ofProject(exportToFolder),
  'project import': importFromFolder,
  'project move': moveProject,

  /** Prints one route per line, for the edge's routing table. */
  'project routes': ofProject(async function* ({ database, settings, project }) {
    const names = { sites: settings.sitesDomain, previews: settings.previewsDomain }
    yield* await listRoutes(database, project.id, names)
  }),
}

/** `project export`: a repeated export copies only new files. */
async function* exportToFolder(input: ProjectInput): Lines {
  const { project } = input
  const folder = resolve(required(input.words[1], 'folder'))
  const { rows, blobs, bytes, absent } = await exportProject(
    await depsOf(input),
    { tenant: tenantOf(project), publicId: project.public_id, slug: project.slug },
    folder,
  ).catch(rethrow)
  // While a project is moving, its audit log cannot be written.
  if (project.moving_since === null)
    await writeAudit(project.database, {
      actor: 'operator',
      action: 'project.export',
      after: { rows, blobs },
    })
  if (absent > 0)
    yield `${absent} files that no deployment needs are missing from the store and were skipped.`
  yield `Exported project ${project.called} to ${folder}: ${rows} rows, ${blobs} files, ${bytes} bytes.`
}

/** `project import`: imports a whole project or nothing. */
async function* importFromFolder(input: CommandInput): Lines {
  const { words, options } = input
  if (options.untrusted === true) {
    yield* importFromOthers(input)
    return
  }
  if (
    options.owner !== undefined ||
    options.organization !== undefined ||
    options.project !== undefined
  )
    throw new UsageError(
      '--organization, --owner and --project need --untrusted: a trusted export already contains these values.',
    )
  const folder = resolve(required(words[0], 'folder'))
  const deps = { ...(await depsOf(input)), withoutKeys: options['without-keys'] === true }
  if (options.blobs === true) {
    yield `Copied ${await importBlobs(deps, folder).catch(rethrow)} files. No project was imported.`
    return
  }
  const { manifest, rows, blobs, skippedRows } = await importProject(deps, folder).catch(rethrow)
  const { publicId, slug } = manifest.project
  yield `Imported project ${publicId} (${slug}) as it was at ${manifest.exportedAt}: ${rows} rows, ${blobs} files. All of them match the export.`
  if (deps.withoutKeys)
    yield `${skippedRows} API keys, invitations and reader sessions were skipped: create new keys with \`octavo-service key create ${publicId}\`.`
}

/** `project import --untrusted`: the owner is named by the operator, not by the archive. */
async function* importFromOthers(input: CommandInput): Lines {
  const { database, settings, words, options, now } = input
  if (options.blobs || options['without-keys'] || options['key-file'] !== undefined)
    throw new UsageError(
      '--untrusted imports no secrets, keys or members, so it cannot be combined with --key-file, --without-keys or --blobs.',
    )
  const owner = z.email().safeParse(required(options.owner, '--owner'))
  if (!owner.success) throw new UsageError('--owner: expected an e-mail address.')
  const slug = Slug.optional().safeParse(options.project)
  if (!slug.success) throw new UsageError(`--project: ${slug.error.issues[0]?.message}`)
  const { api, sites, previews } = namesOf(settings)
  const ownNames = [api, sites, previews].filter((name) => name !== undefined)
  const { project, organization, hasSite, conversations, domains, skippedRows } =
    await importUntrusted(
      { database, blobs: await openBlobs(input), ownNames, now },
      resolve(required(words[0], 'folder')),
      {
        organization: required(options.organization, '--organization'),
        owner: owner.data,
        slug: slug.data,
      },
    ).catch(rethrow)
  yield `Created project ${project.public_id} (${project.slug}) of ${organization.name} with ${hasSite ? 'a site' : 'no site'} and ${conversations} conversations. ${skippedRows} rows were skipped because they are imported only from your own cells.`
  if (domains.length > 0)
    yield `These domains are served after their owner verifies them again: ${domains.join(', ')}.`
  yield `Its only owner is ${owner.data}: \`octavo-service login-link ${owner.data}\` signs them in.`
}

/** `project move`: begins, ends or cancels a move; export and import happen in between. */
async function* moveProject(input: CommandInput): Lines {
  const { database, words } = input
  const project = await findAnyProject(input)
  const { called } = project
  const step = required(words[1], 'step: begin, end or cancel')
  if (step === 'begin') {
    await findProject(input)
    const since = await beginMove(database, project.id)
    yield `Project ${called} has been moving since ${since.toISOString()}. Until the move ends, the project is read-only.`
    return
  }
  if (step !== 'end' && step !== 'cancel')
    throw new UsageError(`Unknown step "${step}": expected begin, end or cancel.`)
  if (!(await finishMove(database, project.id, step)))
    throw new UsageError(`Project ${called} is not being moved.`)
  yield step === 'end'
    ? `Project ${called} was removed from this cell. Its rows are removed after 7 days; until then \`project move ${project.public_id} cancel\` brings it back.`
    : `Project ${called} stays in this cell and can be changed.`
}

async function depsOf(input: CommandInput): Promise<Omit<ImportDeps, 'withoutKeys'>> {
  const { database, settings } = input
  const text = await readKeyFile(input)
  const transferKey = text === undefined ? undefined : parseTransferKey(text)
  if (text !== undefined && transferKey === undefined)
    throw new UsageError(
      '--key-file: expected 32 bytes in base64. Generate a key with: openssl rand -base64 32',
    )
  const { secretKeys, pepper } = settings
  return { database, blobs: await openBlobs(input), secretKeys, pepper, transferKey }
}

function openBlobs({ settings }: CommandInput): Promise<BlobStore> {
  if (settings.blobs === undefined)
    throw new UsageError(
      'OCTAVO_BLOBS is not set, so the files of projects cannot be read or stored.',
    )
  return openBlobStore(settings.blobs)
}

/** Rethrows problems that an operator can fix as usage errors, without a stack trace. */
function rethrow(error: unknown): never {
  // The message may quote the untrusted export, and is shown on a terminal.
  throw error instanceof UnusableExport ? new UsageError(printable(error.message)) : error
}
