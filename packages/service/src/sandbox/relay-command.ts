/** Command lines of our own programs that lead from inside a sandbox to the socket of a proxy. */
import { fileURLToPath } from 'node:url'

type OwnCommand = {
  readonly command: readonly string[]
  /** What has to be visible for it to run. */
  readonly readable: readonly string[]
}

/** Runs the program whose command line follows. */
export function relayCommand(proxySocket: string): OwnCommand {
  return ownCommand('./socks-relay.ts', [proxySocket])
}

/** Host and port follow. Its standard input and output are the connection, as ssh wants it. */
export function tunnelCommand(proxySocket: string): OwnCommand {
  return ownCommand('./tunnel-stdio.ts', [proxySocket])
}

function ownCommand(file: string, args: readonly string[]): OwnCommand {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
  return {
    command: [process.execPath, '--disable-warning=ExperimentalWarning', path(file), ...args],
    readable: [process.execPath, path('.'), path('../../package.json'), ...socketOf(args)],
  }
}

function socketOf([socket]: readonly string[]): readonly string[] {
  return socket === undefined ? [] : [socket]
}
