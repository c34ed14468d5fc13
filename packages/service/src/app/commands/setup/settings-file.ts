/**
 * Reads and writes settings files with lines `NAME=value`. systemd, Docker Compose, `kubectl
 * --from-env-file` and `octavo-service --settings` all read them, so values are unquoted wherever
 * possible.
 */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { reasonOf } from '../../../platform/reason-of.ts'
import { UsageError } from '../arguments.ts'

export type Values = Readonly<Record<string, string>>

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** The permission bits of users who are neither the owner nor in the group. */
const OTHERS = 0o007
/** Matches values that need no quotes in a shell or for any program that reads these files. */
const PLAIN = /^[\w@%+=:,./?~-]*$/

/** Returns the values that are set; none without a file. An empty value counts as missing. */
export function readSettingsFile(file: string): Values {
  return valuesOf(readText(file))
}

/**
 * Adds missing values, keeps the rest, and returns the added names. A new file is readable by its
 * owner only, and an existing one never by users outside its group.
 */
export function addToFile(file: string, values: Values, title: string): readonly string[] {
  const text = readText(file)
  const set = valuesOf(text)
  const added = Object.keys(values).filter((name) => set[name] === undefined)
  if (added.length === 0) return []
  const next = added.reduce(
    (lines, name) => addLine(lines, name, values[name] ?? ''),
    text === '' ? `# ${title}\n` : text,
  )
  try {
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE })
    // Restrict the permissions before the secrets are written.
    if (text !== '') chmodSync(file, statSync(file).mode & ~OTHERS & 0o777)
    writeFileSync(file, next, { mode: FILE_MODE })
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written: ${reasonOf(error)}. Choose another file with --settings.`,
    )
  }
  return added
}

/** Returns one line of a settings file. */
export function printValue(name: string, value: string): string {
  if (PLAIN.test(value)) return `${name}=${value}`
  if (/['\r\n]/.test(value))
    throw new UsageError(`${name} must not contain a single quote or a line break.`)
  return `${name}='${value}'`
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`)
  }
}

function valuesOf(text: string): Values {
  const set = Object.entries(parseEnv(text)).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  return Object.fromEntries(set) as Values
}

/** Adds a line. If the variable already has a line with an empty value, replaces that line. */
function addLine(text: string, name: string, value: string): string {
  const line = printValue(name, value)
  const empty = new RegExp(`^${name}=[ \\t]*$`, 'm')
  if (empty.test(text)) return text.replace(empty, () => line)
  return `${text}${text.endsWith('\n') ? '' : '\n'}${line}\n`
}
