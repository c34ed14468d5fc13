/** What a process in bubblewrap sees: the programs of the system, read-only, and what it was given. */
import { lstatSync, readlinkSync } from 'node:fs'

export type BubblewrapView = {
  readonly userNamespace: readonly string[]
  /** Files and folders, at the same path inside. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** Where the program starts. */
  readonly folder: string
}

/** Links into /usr on most systems, folders on some. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** What programs need of /etc: libraries, certificates, the time zone, and a name for the user (ssh asks). */
const SYSTEM_SETTINGS = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/crypto-policies',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  // Not all of /etc/ssl and /etc/pki: private keys lie there too.
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

export function bubblewrapArgs(view: BubblewrapView): readonly string[] {
  const bind = (option: string, paths: readonly string[]) =>
    paths.flatMap((path) => [option, path, path])
  return [
    ...view.userNamespace,
    '--unshare-ipc',
    '--unshare-pid',
    // Nothing but a loopback interface of its own.
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--cap-drop',
    'ALL',
    // When this process is killed, so is all that runs inside.
    '--die-with-parent',
    '--new-session',
    '--ro-bind',
    '/usr',
    '/usr',
    ...SYSTEM_FOLDERS.flatMap(systemFolder),
    ...bind('--ro-bind-try', SYSTEM_SETTINGS),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...bind('--ro-bind', view.readable),
    ...bind('--bind', view.writable),
    // Files in memory would count towards no limit.
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    view.folder,
    '--',
  ]
}

function systemFolder(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path]
}
