/** Parses commands with subcommands that act on a service. */
import type { CommandLine } from './command-line.ts'
import { readBuildsAction } from './read-builds-action.ts'
import { readDeploymentsAction } from './read-deployments-action.ts'
import { readDomainAction } from './read-domain-action.ts'
import { readGapsAction } from './read-gaps-action.ts'
import { readServiceOptions } from './read-service-options.ts'

type ServiceCommand = 'deployments' | 'builds' | 'domain' | 'gaps'

type ServiceCommandValues = {
  readonly project?: string
  readonly service?: string
  readonly json?: boolean
  readonly wait?: boolean
  readonly 'accept-looser'?: boolean
  readonly base?: string
  readonly reason?: string
  readonly branch?: string
  readonly follow?: boolean
  readonly all?: boolean
  readonly state?: string
}

export const isServiceCommand = (command: string): command is ServiceCommand =>
  command === 'deployments' || command === 'builds' || command === 'domain' || command === 'gaps'

export function readServiceCommand(
  command: ServiceCommand,
  values: ServiceCommandValues,
  words: readonly string[],
): CommandLine {
  const at = readServiceOptions(values)
  if (typeof at === 'string') return wrong(command, at)
  const { wait = false, json = false } = values
  switch (command) {
    case 'deployments': {
      const action = readDeploymentsAction(words, values)
      if (typeof action === 'string') return wrong(command, action)
      const acceptLooser = values['accept-looser'] ?? false
      return { kind: command, options: { ...at, action, acceptLooser, wait, json } }
    }
    case 'builds': {
      const action = readBuildsAction(words, values)
      if (typeof action === 'string') return wrong(command, action)
      return { kind: command, options: { ...at, action, json } }
    }
    case 'domain': {
      const action = readDomainAction(words)
      if (typeof action === 'string') return wrong(command, action)
      return { kind: command, options: { ...at, action, json } }
    }
    case 'gaps': {
      const action = readGapsAction(words, values)
      if (typeof action === 'string') return wrong(command, action)
      return { kind: command, options: { ...at, action, json } }
    }
  }
}

const wrong = (command: ServiceCommand, reason: string): CommandLine => ({
  kind: 'wrong',
  reason,
  command,
})
