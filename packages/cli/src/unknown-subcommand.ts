import { nearest } from '@octavo/model/nearest'
import { COMMANDS, type CommandName } from './command-table.ts'

export function unknownSubcommand(command: CommandName, written: string): string {
  const known = (COMMANDS[command].subcommands ?? []).map(({ name }) => name)
  const guess = nearest(written, known)
  const hint = guess === undefined ? `Expected ${known.join(', ')}.` : `Did you mean \`${guess}\`?`
  return `Unknown subcommand "${written}". ${hint}`
}
