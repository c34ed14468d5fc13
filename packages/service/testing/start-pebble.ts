/**
 * Starts Pebble from Debian's package. It is Let's Encrypt's certificate authority for tests, and
 * validates domains over real HTTP and TLS.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './start-postgres.ts'
import { untilListening } from './start-web-server.ts'

export type RunningPebble = {
  readonly directoryUrl: string
  /** The certificate of Pebble's own API, which ACME clients must trust. */
  readonly certificateFile: string
  /** The root certificate of the certificates that Pebble issues. */
  readonly rootFile: string
  readonly root: string
  readonly intermediate: string
  readonly issuedCount: () => number
  readonly stop: () => Promise<void>
}

/** Starts Pebble. It only uses the DNS server `dns`, and validates domains on ports 80 and 443. */
export async function startPebble(dns: string): Promise<RunningPebble> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pebble-'))
  const [port, managementPort] = [await freePort(), await freePort()]
  const [certificate, privateKey] = [join(folder, 'own.pem'), join(folder, 'own.key')]
  createCertificate({ file: certificate, key: privateKey, names: ['IP:127.0.0.1'] })
  const configuration = join(folder, 'pebble.json')
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate,
    privateKey,
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  writeFileSync(configuration, JSON.stringify({ pebble }))
  const child = spawn('pebble', ['-config', configuration, '-dnsserver', dns, '-strict'], {
    // Disables the delays and faults that Pebble adds to test its clients.
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      log += text
    })
  await untilListening(port, child)
  const ca = readFileSync(certificate)
  const read = (path: string) =>
    new Promise<string>((resolve, reject) => {
      get(`https://127.0.0.1:${managementPort}${path}`, { ca }, async (response) =>
        resolve(Buffer.concat(await response.toArray()).toString()),
      ).on('error', reject)
    })
  const root = await read('/roots/0')
  const rootFile = join(folder, 'root.pem')
  writeFileSync(rootFile, root)
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    certificateFile: certificate,
    rootFile,
    root,
    intermediate: await read('/intermediates/0'),
    issuedCount: () => [...log.matchAll(/Issued certificate serial/g)].length,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type NewCertificate = {
  readonly file: string
  readonly key: string
  /** Names in the form `DNS:name` or `IP:address`. */
  readonly names: readonly string[]
  readonly days?: number
}

/** Creates a self-signed certificate. */
export function createCertificate({ file, key, names, days = 2 }: NewCertificate): void {
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days ${days} -subj /CN=test`
  const subject = `subjectAltName=${names.join(',')}`
  execFileSync(
    'openssl',
    [...request.split(' '), '-addext', subject, '-keyout', key, '-out', file],
    { stdio: 'ignore' },
  )
}
