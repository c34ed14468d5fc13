/** Whether the database refused a slug because another project has it, or had it before. */
export function isSlugTaken(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false
  return error.code === '23505' && String(error.constraint).includes('slug')
}
