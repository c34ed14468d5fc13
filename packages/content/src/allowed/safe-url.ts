import { isInlineImage, schemeOf } from '@octavo/model'

/** Schemes that a URL on a page may have. URLs with other schemes are removed. */
const LINK_SCHEMES = new Set([
  'http',
  'https',
  'mailto',
  'tel',
  'sms',
  'ftp',
  'ftps',
  'irc',
  'ircs',
  'xmpp',
  'magnet',
  'ipfs',
  'cursor',
  'vscode',
  'vscode-insiders',
  'windsurf',
  'zed',
  'jetbrains',
  'goose',
  'claude',
  'raycast',
  'slack',
  'discord',
  'zoommtg',
  'msteams',
  'obsidian',
  'x-apple.systempreferences',
  'ms-settings',
])
/** `localhost:3000/x` has no scheme, although it looks as if it did. */
const LOCAL_HOST = /^localhost:\d{1,5}(?:[/?#]|$)/i

/** Checks whether a page may link to the URL. */
export function isSafeLink(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme === undefined || LINK_SCHEMES.has(scheme) || LOCAL_HOST.test(url)
}

/** Checks whether a page may show the image. A data URL with an image cannot run code. */
export function isSafeImage(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme === undefined || scheme === 'http' || scheme === 'https' || isInlineImage(url)
}

/** Checks whether an iframe may show the URL: another site over https, or a page of this site. */
export function isSafeFrame(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme === undefined || scheme === 'https'
}
