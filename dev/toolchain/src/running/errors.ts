/** A tool that could not be found, downloaded or built; the message says why each attempt failed, and what to do. */
export class ToolUnavailableError extends Error {
    override readonly name = "ToolUnavailableError";

    /**
     * @param what The missing tool and its version, or the missing part.
     * @param reasons One clause per attempt, as in "Go is not installed".
     * @param advice A sentence that says what to do next.
     * @param output The end of the failed program's output, which is shown below the sentence.
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
