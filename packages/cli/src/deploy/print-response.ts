import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'

type Printing = { readonly world: Pick<CommandContext, 'out'> }

export function printLines({ world }: Printing, lines: readonly string[]): ExitCode {
  for (const line of lines) world.out.write(`${line}\n`)
  return EXIT.ok
}

/** Prints the service's response as one line of JSON. */
export function printJson({ world }: Printing, reply: object): ExitCode {
  world.out.write(`${JSON.stringify(reply)}\n`)
  return EXIT.ok
}
