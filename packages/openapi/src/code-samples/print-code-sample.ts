/**
 * Prints a program that sends a request, in the language that the reader selected. The request
 * comes from an untrusted specification and readers will run the program, so all of its strings
 * must remain literals. `prepareRequest` and the `quote` functions of the printers ensure this.
 */
import type { LanguageId } from './languages.ts'
import { type PreparedRequest, prepareRequest } from './prepare-request.ts'
import { printBash } from './printers/print-bash.ts'
import { printCsharp } from './printers/print-csharp.ts'
import { printDart } from './printers/print-dart.ts'
import { printJavascript, printNode, printTypescript } from './printers/print-fetch.ts'
import { printGo } from './printers/print-go.ts'
import { printJava } from './printers/print-java.ts'
import { printKotlin } from './printers/print-kotlin.ts'
import { printC, printCpp } from './printers/print-libcurl.ts'
import { printPhp } from './printers/print-php.ts'
import { printPowershell } from './printers/print-powershell.ts'
import { printPython } from './printers/print-python.ts'
import { printRuby } from './printers/print-ruby.ts'
import { printRust } from './printers/print-rust.ts'
import { printSwift } from './printers/print-swift.ts'
import type { SampleRequest } from './sample-request.ts'

const PRINTERS: Readonly<Record<LanguageId, (request: PreparedRequest) => string>> = {
  bash: printBash,
  python: printPython,
  javascript: printJavascript,
  node: printNode,
  php: printPhp,
  go: printGo,
  java: printJava,
  ruby: printRuby,
  powershell: printPowershell,
  swift: printSwift,
  csharp: printCsharp,
  dotnet: printCsharp,
  typescript: printTypescript,
  c: printC,
  'c++': printCpp,
  kotlin: printKotlin,
  rust: printRust,
  dart: printDart,
}

export function printCodeSample(language: LanguageId, request: SampleRequest): string {
  return PRINTERS[language](prepareRequest(request))
}
