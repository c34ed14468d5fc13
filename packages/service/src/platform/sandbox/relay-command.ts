/** Command lines of our programs that connect a sandbox to the Unix socket of a proxy. */
import { sandboxProgram } from '../own-files.ts'

type OwnCommand = {
  readonly command: readonly string[]
  /** The paths that must be readable for the command to run. */
  readonly readable: readonly string[]
}

/** The command to put before the command line of the program to run. */
export function relayCommand(proxySocket: string): OwnCommand {
  return ownCommand('socks-relay', [proxySocket])
}

/**
 * The command to which host and port are appended. Its standard input and output are the
 * connection, as ssh requires.
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
