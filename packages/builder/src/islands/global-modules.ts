/**
 * Creates modules for the names that authors use without an import or from `react`: hooks, `React`
 * and built-in components. Each name has its own module, so that a compiled file imports only the
 * names that it uses.
 */
import { COMPONENTS } from '@octavo/content'

export type GlobalModules = {
  /** The code of each module, by name. */
  readonly code: ReadonlyMap<string, string>
  /** Modules whose names are available without an import. */
  readonly injected: readonly string[]
}

/** Packages from which authors import React's names. */
export const REACT_PACKAGES: ReadonlySet<string> = new Set([
  'react',
  'react-dom',
  'react/jsx-runtime',
  'preact',
  'preact/compat',
  'preact/hooks',
  'preact/jsx-runtime',
])

/**
 * The module that replaces the whole of React. Its name is not a valid identifier, so it cannot be
 * the same as one of React's names.
 */
export const REACT_MODULE = 'react-names'

/** The prefix for imports between these modules. */
export const GLOBAL_PREFIX = 'octavo-global:'

/** Names other than hooks that are available without an import. */
const PLAIN_NAMES = ['React', 'Fragment', 'createContext', 'createElement', 'forwardRef', 'memo']

/** Creates the modules. `address` is the URL of the runtime relative to a compiled module. */
export function globalModules(address: string, names: readonly string[]): GlobalModules {
  const from = JSON.stringify(address)
  const code = new Map<string, string>()
  for (const name of names) code.set(name, `export { ${name} } from ${from}`)
  const injected = names.filter((name) => /^use[A-Z]/.test(name) || PLAIN_NAMES.includes(name))
  // Importing any other name is reported at build time, with its place.
  const react = ['React as default', ...names].map(
    (name) => `export { ${name} } from "${GLOBAL_PREFIX}${name.split(' ')[0]}"`,
  )
  code.set(REACT_MODULE, react.join('\n'))
  for (const [name, members] of componentFamilies()) {
    const make = `/* @__PURE__ */ builtIn(${JSON.stringify(name)}, ${JSON.stringify(members)})`
    code.set(name, `import { builtIn } from ${from}\nexport const ${name} = ${make}`)
    injected.push(name)
  }
  return { code, injected }
}

/** Groups components by their parent: `Tree.Folder` is a member of `Tree`. */
function componentFamilies(): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>()
  for (const component of COMPONENTS) {
    const [name = '', member] = component.split('.')
    const members = families.get(name) ?? []
    families.set(name, members)
    if (member !== undefined) members.push(member)
  }
  return families
}
