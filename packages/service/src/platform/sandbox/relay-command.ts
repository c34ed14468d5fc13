/** Command lines of our programs that connect a sandbox to the Unix socket of a proxy. */
import { sandboxProgram } from '../own-files.ts'

type OwnCommand = {
  readonly command: readonly string[]
  /** The paths that must be readable for the command to run. */
  readonly readable: readonly string[]
}

/**
 * Returns a command that starts the relay and then runs the program whose command line is appended.
 */
export function relayCommand(proxySocket: string): OwnCommand {
  return ownCommand('socks-relay', [proxySocket])
}

/**
 * Returns a command to which host and port are appended. It connects its standard input and output
 * to that host, as ssh requires of a `ProxyCommand`.
 */
export function tunnelCommand(proxySocket: string): OwnCommand {
  return ownCommand('tunnel-stdio', [proxySocket])
}

function ownCommand(name: 'socks-relay' | 'tunnel-stdio', args: readonly string[]): OwnCommand {
  const { file, readable } = sandboxProgram(name)
  return {
    command: [process.execPath, '--disable-warning=ExperimentalWarning', file, ...args],
    readable: [process.execPath, ...readable, ...socketOf(args)],
  }
}

function socketOf([socket]: readonly string[]): readonly string[] {
  return socket === undefined ? [] : [socket]
}
