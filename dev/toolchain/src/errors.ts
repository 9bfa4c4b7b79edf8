/** A tool that cannot be had on this machine; the message says every way tried, why it failed, and what to do. */
export class ToolUnavailableError extends Error {
    override readonly name = "ToolUnavailableError";

    /**
     * @param what    The tool with its version, or what else could not be had.
     * @param reasons One clause for each way tried, as in "Go is not installed".
     * @param advice  A sentence that tells what to do next.
     * @param output  The end of what the failed program wrote, shown below the sentence.
     */
    constructor(
        readonly what: string,
        readonly reasons: readonly string[],
        readonly advice: string,
        readonly output: string = "",
        options?: ErrorOptions,
    ) {
        const sentence = `Cannot get ${what}: ${new Intl.ListFormat("en").format(reasons)}. ${advice}`;
        super(output === "" ? sentence : `${sentence}\n${output}`, options);
    }
}
