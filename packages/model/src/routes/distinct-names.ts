/**
 * Returns a function that makes names unique: `list`, `list-1`, `list-2`. `isTaken` checks whether
 * a name is used elsewhere. The last number of each name is stored, so that a thousand equal names
 * only take a thousand steps.
 */
export function distinctNames(isTaken: (name: string) => boolean): (wanted: string) => string {
  const given = new Set<string>()
  const last = new Map<string, number>()
  return (wanted) => {
    let name = wanted
    let count = last.get(wanted) ?? 0
    while (given.has(name) || isTaken(name)) {
      count += 1
      name = `${wanted}-${count}`
    }
    last.set(wanted, count)
    given.add(name)
    return name
  }
}
