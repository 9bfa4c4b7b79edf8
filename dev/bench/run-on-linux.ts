/**
 * Runs a benchmark with the options of its command line. Prints an error as one line.
 *
 * @param parseOptions - returns undefined for --help
 */
export async function runOnLinux<Options>(
    help: string,
    parseOptions: (args: readonly string[]) => Options | undefined,
    measure: (options: Options) => Promise<void>,
): Promise<void> {
    try {
        const options = parseOptions(process.argv.slice(2));
        if (options === undefined) {
            console.log(help);
        } else if (process.platform === "linux") {
            await measure(options);
        } else {
            throw new Error("CPU time and memory come from /proc: run this on Linux.");
        }
    } catch (error) {
        console.error(error instanceof Error ? error.message : error);
        process.exitCode = 1;
    }
}
