import { z } from 'zod'

/** PostgreSQL cannot store NUL, and a lone surrogate is not valid text. */
export const storedText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine(
      (value) => !value.includes('\u0000') && value.isWellFormed(),
      'contains characters that cannot be stored',
    )
