/**
 * Defines what a process in bubblewrap can see: the system's programs, which are read-only, and the
 * given paths.
 */
import { lstatSync, readlinkSync } from 'node:fs'

export type BubblewrapView = {
  readonly userNamespace: readonly string[]
  /** Files and folders, mounted at the same path. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** The working directory. */
  readonly folder: string
}

/** These paths are links into /usr on most systems and folders on others. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/**
 * The parts of /etc that programs need: libraries, certificates, the time zone, and a user name for
 * ssh.
 */
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
  // Only parts of /etc/ssl and /etc/pki are visible, because these folders also contain private
  // keys.
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
    // The sandbox has only its own loopback interface.
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--cap-drop',
    'ALL',
    // Kills everything in the sandbox when this process is killed.
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
    // Makes /dev and / read-only, because files in memory would not count toward any limit.
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
