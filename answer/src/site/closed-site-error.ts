/** The site cannot answer now: it is being replaced, or the rules about who may read which page are unreadable. */
export class ClosedSiteError extends Error {
    /** Fastify answers with this status. */
    readonly statusCode = 503;
}

/** The message for readers and their programs. */
export const closedSiteAdvice = "The site is being replaced. Try again in a few seconds.";
