/**
 * A text with everything taken out that could steer a terminal or turn the direction of writing:
 * what an author wrote is shown, not obeyed.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}
