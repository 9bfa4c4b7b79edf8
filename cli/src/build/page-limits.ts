/** The limits of the service for one page. */
export const pageLimits = { memoryMegabytes: 1024, pageTimeoutMs: 30_000 };
