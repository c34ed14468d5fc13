/** Recognizes text that looks like syntax of some tool, but was plain text on the old site too. */

/** Syntax that a tool itself reads. Everything else was shown as written. */
const OWN: Readonly<Record<string, RegExp>> = {
  Docusaurus: /^\s*:{3}.|<!--|\bimport .+ from|\{#/,
  GitBook:
    /\{% *(?:end)?(?:hint|tabs?|code|content-ref|page-ref|embed|file|include|stepper|step|columns?|updates?|openapi|swagger|api-method|@)|data-gb-|\|\|/,
}

export function isLiteral(tool: string, text: string): boolean {
  return OWN[tool] !== undefined && !OWN[tool].test(text)
}
