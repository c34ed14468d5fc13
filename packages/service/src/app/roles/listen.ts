/** Opens a port. If that fails, the service and `doctor` give the same explanation. */
import { once } from 'node:events'
import type { Server } from 'node:net'
import { reasonOf } from '../../platform/reason-of.ts'
import type { Settings } from '../settings/env.ts'

/** An address to listen on, and the environment variables that set it. */
export type ListenAddress = {
  readonly host: string
  readonly port: number
  readonly hostName: string
  readonly portName: string
}

export const mainAddress = ({ host, port }: Settings) => ({
  host,
  port,
  hostName: 'HOST',
  portName: 'PORT',
})

export const adminAddress = ({ adminHost, adminPort }: Settings) => ({
  host: adminHost,
  port: adminPort,
  hostName: 'OCTAVO_ADMIN_HOST',
  portName: 'OCTAVO_ADMIN_PORT',
})

type ListenFault = { readonly found: string; readonly hint: string }

/** Throws an error with a message for the operator if the port cannot be opened. */
export async function listen(server: Server, address: ListenAddress): Promise<void> {
  try {
    server.listen({ host: address.host, port: address.port })
    await once(server, 'listening')
  } catch (cause) {
    const { found, hint } = explainListenError(cause, address)
    throw new Error(`${found} ${hint}`, { cause })
  }
}

export function explainListenError(error: unknown, address: ListenAddress): ListenFault {
  const { host, port, hostName, portName } = address
  switch ((error as { readonly code?: string }).code) {
    case 'EADDRINUSE':
      return { found: `Port ${port} is in use.`, hint: `Set ${portName} to another port.` }
    case 'EACCES':
      return {
        found: `This user may not open port ${port}.`,
        hint: `Set ${portName} to 1024 or above, and let a proxy listen on port ${port}.`,
      }
    case 'EADDRNOTAVAIL':
      return {
        found: `${host} is not an address of this machine.`,
        hint: `Set ${hostName} to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        found: `The host name ${host} has no address.`,
        hint: `Set ${hostName} to an address of this machine, such as 127.0.0.1 or 0.0.0.0.`,
      }
    default:
      return {
        found: `Port ${port} of ${host} cannot be opened: ${reasonOf(error)}.`,
        hint: `Check ${hostName} and ${portName}.`,
      }
  }
}
