/** Prints the only settings that ssh reads: one key, one proxy, no forwarding and no prompts. */

type SshSettings = {
  /** The folder with the key and the known hosts. */
  readonly folder: string
  /** The proxy command. Host and port are appended to it. */
  readonly proxyCommand: readonly string[]
}

const SETTINGS: readonly string[] = [
  'BatchMode yes',
  'CanonicalizeHostname no',
  'CheckHostIP no',
  'ClearAllForwardings yes',
  'ConnectTimeout 20',
  'ControlMaster no',
  'ControlPath none',
  'ForwardAgent no',
  'ForwardX11 no',
  'GlobalKnownHostsFile /dev/null',
  'HashKnownHosts no',
  'IdentitiesOnly yes',
  'IdentityAgent none',
  'KbdInteractiveAuthentication no',
  'LogLevel ERROR',
  'PasswordAuthentication no',
  'PermitLocalCommand no',
  'PreferredAuthentications publickey',
  'ServerAliveInterval 30',
  // Trusts the first key of a host, and rejects a different key later.
  'StrictHostKeyChecking accept-new',
  'UpdateHostKeys no',
]

export function printSshSettings({ folder, proxyCommand }: SshSettings): string {
  const command = proxyCommand.map((word) => quoteForShell(word.replaceAll('%', '%%'))).join(' ')
  return [
    'Host *',
    ...SETTINGS,
    `IdentityFile "${folder}/key"`,
    `UserKnownHostsFile "${folder}/known_hosts"`,
    `ProxyCommand ${command} %h %p`,
    '',
  ].join('\n')
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
