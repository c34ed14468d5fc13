/** Command lines of our own programs that lead from inside a sandbox to the socket of a proxy. */
import { sandboxProgram } from '../own-files.ts'

type OwnCommand = {
  readonly command: readonly string[]
  /** What has to be visible for it to run. */
  readonly readable: readonly string[]
}

/** Runs the program whose command line follows. */
export function relayCommand(proxySocket: string): OwnCommand {
  return ownCommand('socks-relay', [proxySocket])
}

/** Host and port follow. Its standard input and output are the connection, as ssh wants it. */
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
