/**
 * Files of settings, a line `NAME=value` each. systemd, Docker Compose, `kubectl --from-env-file` and
 * `octavo-service --settings` read them alike, so values are plain wherever they can be.
 */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { reasonOf } from '../../../platform/reason-of.ts'
import { UsageError } from '../arguments.ts'

export type Values = Readonly<Record<string, string>>

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
/** The rights of all who are neither the owner nor in the group. */
const OTHERS = 0o007
/** What no reader of such files, and no shell, takes for anything else. */
const PLAIN = /^[\w@%+=:,./?~-]*$/

/** The values that are set; a line without a value counts as missing. Empty if there is no file. */
export function readSettingsFile(file: string): Values {
  return valuesOf(readText(file))
}

/**
 * Adds what is missing and keeps the rest as it is; returns the names that it added. Only its owner can read
 * a new file, and people outside its group can never read it.
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
    // Before the secrets are in it.
    if (text !== '') chmodSync(file, statSync(file).mode & ~OTHERS & 0o777)
    writeFileSync(file, next, { mode: FILE_MODE })
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written: ${reasonOf(error)}. Name another one with --settings.`,
    )
  }
  return added
}

/** One line of such a file. */
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

/** In place of the line without a value, if there is one. */
function addLine(text: string, name: string, value: string): string {
  const line = printValue(name, value)
  const empty = new RegExp(`^${name}=[ \\t]*$`, 'm')
  if (empty.test(text)) return text.replace(empty, () => line)
  return `${text}${text.endsWith('\n') ? '' : '\n'}${line}\n`
}
