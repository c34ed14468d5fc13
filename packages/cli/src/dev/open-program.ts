/** Starts the author's browser and editor, never through a shell. */
import { spawn } from 'node:child_process'
import { win32 } from 'node:path'

export type Place = { readonly file: string; readonly line: number; readonly column: number }

export type EditorNames = {
  readonly OCTAVO_EDITOR?: string | undefined
  readonly VISUAL?: string | undefined
  readonly EDITOR?: string | undefined
}

/** A program with its arguments. */
export type ProgramCommand = readonly [program: string, ...args: string[]]

/**
 * Editors that open a window, with their arguments to open a line. Other editors would take over
 * the terminal.
 */
const FORMS: readonly (readonly [names: RegExp, form: (place: Place) => readonly string[]])[] = [
  [
    /^(?:code|code-insiders|codium|vscodium|cursor|windsurf|antigravity)$/,
    ({ file, line, column }) => ['--goto', `${file}:${line}:${column}`],
  ],
  [/^(?:subl|zed|zeditor|atom)$/, ({ file, line, column }) => [`${file}:${line}:${column}`]],
  [
    /^(?:idea|webstorm|phpstorm|pycharm|goland|rubymine|rider|clion)(?:64)?$/,
    ({ file, line, column }) => ['--line', `${line}`, '--column', `${column}`, file],
  ],
  [/^(?:mate)$/, ({ file, line, column }) => ['--line', `${line}:${column}`, file]],
]

/** URL schemes of editors whose Windows command is a script, which only a shell can start. */
const SCHEMES: Readonly<Record<string, string>> = {
  code: 'vscode',
  'code-insiders': 'vscode-insiders',
  codium: 'vscodium',
  vscodium: 'vscodium',
  cursor: 'cursor',
  windsurf: 'windsurf',
  antigravity: 'antigravity',
}

/** Returns the command that opens a place; undefined for an editor without its own window. */
export function editorCommand(
  names: EditorNames,
  place: Place,
  platform: NodeJS.Platform,
): ProgramCommand | undefined {
  const written = names.OCTAVO_EDITOR || names.VISUAL || names.EDITOR || 'code'
  // A path with spaces must be in quotes.
  const words = (written.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
  const [program = '', ...args] = words
  // The `win32` variant accepts both separators.
  const file = win32.basename(program)
  const name = file.replace(/\.(?:exe|cmd)$/i, '').toLowerCase()
  const form = FORMS.find(([known]) => known.test(name))?.[1]
  if (form === undefined) return undefined
  const scheme = platform === 'win32' && !/\.exe$/i.test(file) ? SCHEMES[name] : undefined
  if (scheme !== undefined) return browserCommand(addressOf(place, scheme), platform)
  return [program, ...args.filter((arg) => arg.startsWith('-')), ...form(place)]
}

/** Returns a URL such as `vscode://file/C:/docs/start.mdx:3:7`. */
function addressOf({ file, line, column }: Place, scheme: string): string {
  const path = encodeURI(file.replaceAll('\\', '/')).replaceAll('#', '%23').replaceAll('?', '%3F')
  return `${scheme}://file/${path}:${line}:${column}`
}

export function browserCommand(url: string, platform: NodeJS.Platform): ProgramCommand {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}

/** Starts the program; resolves to false if it does not exist. */
export function start([program, ...args]: ProgramCommand): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
