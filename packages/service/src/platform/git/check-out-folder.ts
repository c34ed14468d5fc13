/** Checks out the files of one folder at one commit, and reads the commit's metadata. */
import {
  type CloneTask,
  fetchCommit,
  fetchContents,
  prepareClone,
  readRun,
  repackClone,
} from './cached-clone.ts'
import { explainLimit, gitFailure } from './explain-failure.ts'
import { FileDates } from './file-dates.ts'
import type { Checkout, CheckoutOptions, GitFailure } from './git.ts'
import { hasGitSucceeded, readGitStart, readGitText, runGitProcess } from './run-git-process.ts'
import { FileSelection } from './select-files.ts'
import { FileWriter } from './write-files.ts'

type CheckoutAttempt = {
  readonly outcome: Checkout | GitFailure
  /** True if a clone already existed. */
  readonly wasCached: boolean
  /** True if the history could be fetched, but not the file contents. */
  readonly isContentMissing?: boolean
}

const MESSAGE_LENGTH_MAX = 1_000
const AUTHOR_LENGTH_MAX = 200
const DAMAGED = gitFailure('other', 'The cached clone is damaged.', false)

export async function checkOutFolder(
  task: CloneTask,
  options: CheckoutOptions,
): Promise<CheckoutAttempt> {
  const wasCached = await prepareClone(task.repository, {
    commit: options.commit,
    isBlobless: task.isBlobless,
  })
  const failure = await fetchCommit(task, options)
  if (failure !== undefined) return { outcome: failure, wasCached }
  const tree = await findTree(task, options)
  if (typeof tree !== 'string') return { outcome: tree, wasCached }
  const selection = await selectFiles(task, tree)
  if (selection instanceof FileSelection === false) return { outcome: selection, wasCached }
  const contentFailure = task.isBlobless ? await fetchContents(task, tree) : undefined
  if (contentFailure !== undefined) {
    const isContentMissing = contentFailure.code === 'other'
    return { outcome: contentFailure, wasCached, isContentMissing }
  }
  const writeFailure = await writeAll(task, { selection, into: options.into })
  if (writeFailure !== undefined) return { outcome: writeFailure, wasCached }
  const outcome = await describe(task, options, selection)
  await repackClone(task)
  return { outcome, wasCached }
}

/** Returns the object id of the folder's tree in the commit. */
async function findTree(task: CloneTask, { commit, folder }: CheckoutOptions) {
  const args =
    folder === ''
      ? ['log', '-1', '--no-patch', '--format=040000 tree %T', commit]
      : ['ls-tree', '-z', '--full-tree', commit, '--', folder]
  const text = await readGitText(readRun(task, args))
  if (text === undefined) return DAMAGED
  const [mode, , id = ''] = text.split(/[\t\n]/, 1)[0]?.split(' ') ?? []
  if (mode === '040000') return id
  return gitFailure(
    'no-such-folder',
    `There is no folder "${folder}" in commit ${commit.slice(0, 7)}. Check the folder of the connection.`,
  )
}

async function selectFiles(task: CloneTask, tree: string): Promise<FileSelection | GitFailure> {
  const { filesMax } = task.limits
  const selection = new FileSelection(filesMax)
  const run = readRun(task, ['ls-tree', '-r', '-t', '-z', '--full-tree', tree])
  const end = await runGitProcess(run, (bytes) => selection.take(bytes))
  if (selection.isTooMany) {
    return gitFailure(
      'too-many-files',
      `The documentation folder has more than ${filesMax} files or folders. Choose a folder that contains only the documentation.`,
    )
  }
  return hasGitSucceeded(end) ? selection : (explainLimit(end) ?? DAMAGED)
}

async function writeAll(
  task: CloneTask,
  { selection, into }: { readonly selection: FileSelection; readonly into: string },
): Promise<GitFailure | undefined> {
  const { files, notes } = selection
  const writer = new FileWriter({ files, notes, folder: into, limits: task.limits })
  const input = files.map(({ objectId }) => `${objectId}\n`).join('')
  const run = { ...readRun(task, ['cat-file', '--batch', '--buffer']), input }
  try {
    const end = await runGitProcess(run, (bytes) => writer.take(bytes))
    if (writer.failure !== undefined) return writer.failure
    if (!hasGitSucceeded(end)) return explainLimit(end) ?? DAMAGED
    return writer.written === files.length ? undefined : DAMAGED
  } finally {
    writer.close()
  }
}

async function describe(
  task: CloneTask,
  { commit, folder }: CheckoutOptions,
  { files, notes }: FileSelection,
): Promise<Checkout | GitFailure> {
  const args = ['log', '-1', '--no-patch', '--encoding=UTF-8', '--format=%an%x00%B', commit]
  const text = await readGitStart(readRun(task, args), MESSAGE_BYTES_MAX)
  if (text === undefined) return DAMAGED
  const [author = '', message = ''] = text.split('\0')
  const dates = new FileDates(files.map(({ path }) => path))
  const relative = folder === '' ? '--relative' : `--relative=${folder}/`
  const log = ['log', '--format=%x01%ct', '--name-only', relative, '--no-renames', '-z', commit]
  if (files.length > 0) {
    const run = readRun(task, [...log, '--', folder === '' ? '.' : folder])
    const end = await runGitProcess(run, (bytes) => dates.take(bytes))
    if (!hasGitSucceeded(end))
      notes.addLine('The history is too long, so files have no last-changed dates.')
    if (!hasGitSucceeded(end)) dates.dates.clear()
  }
  return {
    kind: 'checkout',
    commit,
    author: cut(author, AUTHOR_LENGTH_MAX),
    message: cut(message.trim(), MESSAGE_LENGTH_MAX),
    fileCount: files.length,
    notes: notes.lines(),
    changedAt: dates.dates,
  }
}

const MESSAGE_BYTES_MAX = 100_000

function cut(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).toWellFormed()
}
