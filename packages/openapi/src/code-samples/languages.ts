export type LanguageId = (typeof LANGUAGES)[number]['id']

export type Language = {
  readonly id: LanguageId
  /** The name that readers see. */
  readonly label: string
  /** Other names that an author may write instead of the id. */
  readonly aliases: readonly string[]
  /** The name of the language in the syntax highlighter. */
  readonly highlight: string
}

export const LANGUAGES = [
  { id: 'bash', label: 'cURL', aliases: ['curl', 'sh', 'shell'], highlight: 'bash' },
  { id: 'python', label: 'Python', aliases: ['py'], highlight: 'python' },
  { id: 'javascript', label: 'JavaScript', aliases: ['js'], highlight: 'javascript' },
  { id: 'node', label: 'Node.js', aliases: ['nodejs', 'node.js'], highlight: 'javascript' },
  { id: 'php', label: 'PHP', aliases: [], highlight: 'php' },
  { id: 'go', label: 'Go', aliases: ['golang'], highlight: 'go' },
  { id: 'java', label: 'Java', aliases: [], highlight: 'java' },
  { id: 'ruby', label: 'Ruby', aliases: ['rb'], highlight: 'ruby' },
  { id: 'powershell', label: 'PowerShell', aliases: [], highlight: 'powershell' },
  { id: 'swift', label: 'Swift', aliases: [], highlight: 'swift' },
  { id: 'csharp', label: 'C#', aliases: ['c#'], highlight: 'csharp' },
  { id: 'dotnet', label: '.NET', aliases: ['.net', 'dot-net'], highlight: 'csharp' },
  { id: 'typescript', label: 'TypeScript', aliases: ['ts'], highlight: 'typescript' },
  { id: 'c', label: 'C', aliases: [], highlight: 'c' },
  { id: 'c++', label: 'C++', aliases: ['cpp'], highlight: 'cpp' },
  { id: 'kotlin', label: 'Kotlin', aliases: ['kt'], highlight: 'kotlin' },
  { id: 'rust', label: 'Rust', aliases: ['rs'], highlight: 'rust' },
  { id: 'dart', label: 'Dart', aliases: ['flutter'], highlight: 'dart' },
] as const satisfies readonly (Omit<Language, 'id'> & { readonly id: string })[]

/** Finds a language by its id or an alias, ignoring case. */
export function findLanguage(written: string): Language | undefined {
  const name = written.trim().toLowerCase()
  const languages: readonly Language[] = LANGUAGES
  return languages.find(({ id, aliases }) => id === name || aliases.includes(name))
}
