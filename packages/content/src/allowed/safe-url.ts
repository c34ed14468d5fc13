/** Schemes that an address on a page may have. What is not listed does not reach the page. */
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
const SCHEME = /^([a-z][a-z\d+.-]*):/i
/** `localhost:3000/x` has no scheme, though it looks like it. */
const LOCAL_HOST = /^localhost:\d{1,5}(?:[/?#]|$)/i
const INLINE_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|x-icon)[;,]/i

/** The scheme as a browser sees it: it skips control characters and space. */
export function schemeOf(url: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what browsers skip.
  const seen = url.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\ufeff]/g, '')
  return SCHEME.exec(seen)?.[1]?.toLowerCase()
}

/** True if a reader may follow the address. */
export function isSafeLink(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme === undefined || LINK_SCHEMES.has(scheme) || LOCAL_HOST.test(url)
}

/** True if a page may show what is there. An image in the address itself cannot run anything. */
export function isSafeImage(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme === undefined || scheme === 'http' || scheme === 'https' || INLINE_IMAGE.test(url)
}

/** True for what may stand in a frame: another site over https, or a page of this site. */
export function isSafeFrame(url: string): boolean {
  const scheme = schemeOf(url)
  return scheme === undefined || scheme === 'https'
}
