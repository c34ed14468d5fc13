/** The step of action.yml: installs the command line outside of the repository and runs it there. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { installOctavo } from './install-octavo.ts'
import { runAction } from './run-action.ts'

const folder = mkdtempSync(join(process.env.RUNNER_TEMP ?? tmpdir(), 'octavo-'))
process.exitCode = await runAction({
  env: process.env,
  write: (text) => process.stdout.write(text),
  findOctavo: (inputs) => installOctavo(inputs, { folder, env: process.env }),
})
