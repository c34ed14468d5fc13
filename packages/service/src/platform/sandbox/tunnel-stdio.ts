/** Connects standard input and output to a host through the proxy. Run by ssh as `ProxyCommand`. */
import { openTunnel } from './open-tunnel.ts'

const [proxySocket = '', host = '', port = ''] = process.argv.slice(2)
try {
  const { socket, head } = await openTunnel(proxySocket, { host, port: Number(port) })
  socket.on('error', () => process.exit(1))
  socket.on('close', () => process.exit(0))
  process.stdout.on('error', () => process.exit(1))
  process.stdout.write(head)
  socket.pipe(process.stdout)
  process.stdin.pipe(socket)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}
