/** Rejects if the promise takes too long. The operation behind the promise is not stopped. */
export function withTimeout<Result>(result: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    ).unref()
    result.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
