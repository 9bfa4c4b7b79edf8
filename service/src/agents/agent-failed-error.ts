/** The agent has failed, or a limit has ended it. Its changes are complete as far as it got. */
export class AgentFailedError extends Error {
    override readonly name = "AgentFailedError";

    /** @param reason - after "The agent" */
    constructor(reason: string) {
        super(`The agent ${reason}.`);
    }
}
