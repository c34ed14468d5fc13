/**
 * Checks ref names from servers, which are shown to users and passed to Git: only names that Git
 * itself would write are valid.
 */

export const isObjectId = (text: string): boolean => /^[\da-f]{40}(?:[\da-f]{24})?$/.test(text)

export const isRefName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /^refs\/[^\u0000-\u0020\u007f~^:?*[\\]+$/.test(name) &&
  !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(name)
