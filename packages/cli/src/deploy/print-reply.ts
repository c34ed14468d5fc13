import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'

type Printing = { readonly world: Pick<CommandContext, 'out'> }

export function printLines({ world }: Printing, lines: readonly string[]): ExitCode {
  for (const line of lines) world.out.write(`${line}\n`)
  return EXIT.ok
}

/** What the service responded with, as one line. */
export function printJson({ world }: Printing, reply: object): ExitCode {
  world.out.write(`${JSON.stringify(reply)}\n`)
  return EXIT.ok
}
