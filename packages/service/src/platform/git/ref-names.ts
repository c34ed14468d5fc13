/**
 * Checks object ids and ref names from servers, because they are shown to users and passed to Git.
 * Only ref names that Git itself would write are valid.
 */

export const isObjectId = (text: string): boolean => /^[\da-f]{40}(?:[\da-f]{24})?$/.test(text)

export const isRefName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
  /^refs\/[^\u0000-\u0020\u007f~^:?*[\\]+$/.test(name) &&
  !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(name)
