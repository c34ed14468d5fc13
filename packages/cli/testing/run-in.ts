/** Runs commands in a folder of a test, as in a terminal without colors. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandContext } from '../src/context/command-context.ts'
import { systemClock } from '../src/context/system-clock.ts'
import { run } from '../src/run.ts'

export async function runIn(cwd: string, args: readonly string[], ask?: CommandContext['ask']) {
  let out = ''
  let err = ''
  const code = await run({
    args,
    cwd,
    env: { NO_COLOR: undefined, FORCE_COLOR: undefined, PATH: process.env.PATH },
    clock: systemClock,
    ask,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
